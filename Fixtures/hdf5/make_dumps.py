#!/usr/bin/env python3
"""Writes the dumps of this folder with h5py, and the files that must be refused (../hostile/hdf5).

    make_dumps.py        (needs h5py, numpy)

state_dict.h5 is ../mosaic_small_3000.pth with the first of its residual blocks alone, as people dump it, chunked and
compressed. nested.h5 has a part of it in groups,
in other number types. keras1_weights.h5 has the layout of weights alone of Keras 1 and 2, with lists that are split.
"""
import io, os, pickle, zipfile

import h5py
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))


def checkpoint(path):
    """The tensors of a .pth, without PyTorch."""
    archive = zipfile.ZipFile(path)
    root = archive.namelist()[0].split("/")[0]

    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            if name == "_rebuild_tensor_v2":
                return lambda storage, offset, size, stride, *_: np.lib.stride_tricks.as_strided(
                    storage[offset:], size, [4 * step for step in stride]).copy()
            return dict if name == "OrderedDict" else name

        def persistent_load(self, key):
            return np.frombuffer(archive.read(f"{root}/data/{key[2]}"), np.float32)

    return Unpickler(io.BytesIO(archive.read(root + "/data.pkl"))).load()


def new(name):
    os.makedirs(os.path.dirname(here + "/" + name), exist_ok=True)
    return h5py.File(here + "/" + name, "w")


weights = {}
for name, value in checkpoint(here + "/../mosaic_small_3000.pth").items():
    number = int(name.split(".")[1])
    if number < 4 or number > 7:  # without four of five blocks, what follows moves up
        weights[name if number < 4 else name.replace(f"model.{number}.", f"model.{number - 4}.")] = value
with new("state_dict.h5") as file:
    for name, value in weights.items():
        file.create_dataset(name, data=value, chunks=True if value.ndim == 4 else None,
                            compression="gzip" if value.ndim == 4 else None, shuffle=value.ndim == 4,
                            fletcher32=value.ndim == 4)

with new("nested.h5") as file:
    file.attrs["epoch"] = 3
    file.attrs["comment"] = "a part of the weights"
    file["names"] = np.array([b"not", b"weights"])
    group = file.create_group("state_dict", track_order=True)
    for name, kind in (("model.1.block.1.weight", "f8"), ("model.1.block.1.bias", "f2"), ("model.1.norm.weight", ">f4"),
                       ("model.1.norm.bias", "f4")):
        group[name.replace(".", "/")] = weights[name].astype(kind)
    group["steps"] = np.int64(3000)
    group["trained"] = np.bool_(True)

with new("keras1_weights.h5") as file:
    names = [f"layer_{index}" for index in range(6)]
    for index in range(0, 6, 2):
        file.attrs[f"layer_names{index // 2}"] = np.array(names[index:index + 2], "S8")
    for index, name in enumerate(names):
        group = file.create_group(name)
        if index % 2:
            group.attrs["weight_names"] = []
            continue
        text = h5py.string_dtype() if index else "S32"
        group.attrs.create("weight_names", [f"{name}/kernel:0", f"{name}/bias:0"], dtype=text)
        group[f"{name}/kernel:0"] = np.arange(2 * 3 * 2 * 4, dtype=np.float32).reshape(2, 3, 2, 4) + index
        group[f"{name}/bias:0"] = np.full(4, index, np.float32)

# What must be refused or passed over. Nothing here reads anything outside.
numbers = np.arange(4, dtype=np.float32)
with new("../hostile/hdf5/external_link.h5") as file:
    file["weight"] = numbers
    file["elsewhere"] = h5py.ExternalLink("/etc/passwd", "/")
with new("../hostile/hdf5/external_storage.h5") as file:
    file.create_dataset("weight", (4,), "f4", external=[("/etc/passwd", 0, 16)])
with new("../hostile/hdf5/virtual_dataset.h5") as file:
    layout = h5py.VirtualLayout((4,), "f4")
    layout[:] = h5py.VirtualSource("/etc/passwd", "weight", (4,))
    file.create_virtual_dataset("weight", layout)
with new("../hostile/hdf5/lzf_filter.h5") as file:
    file.create_dataset("weight", data=np.zeros(100, "f4"), compression="lzf")
with new("cycle.h5") as file:
    group = file.create_group("a/b")
    group["again"] = file["a"]
    group["root"] = file["/"]
    group["weight"] = numbers
    group["same"] = group["weight"]
with new("soft_links.h5") as file:
    file["weight"] = numbers
    file["alias"] = h5py.SoftLink("/weight")
    file["dangling"] = h5py.SoftLink("/nowhere")
with new("../hostile/hdf5/deep.h5") as file:
    file["/".join("g" * 80) + "/weight"] = numbers
with new("../hostile/hdf5/bomb.h5") as file:
    file.create_dataset("weight", (1 << 20, 1 << 12), "f4", chunks=(1 << 10, 1 << 12), compression="gzip")
with new("../hostile/hdf5/huge.h5") as file:
    file.create_dataset("weight", (1 << 40, 1 << 20), "f4", chunks=(1024, 1024))
with new("../hostile/hdf5/nothing.h5") as file:
    file.attrs["note"] = "no weights"
with new("../hostile/hdf5/listed_and_missing.h5") as file:
    file.attrs["layer_names"] = [b"conv"]
    file.create_group("conv").attrs["weight_names"] = [b"conv/kernel:0"]
with new("other_backend.h5") as file:
    file.attrs["backend"] = "cntk"
    file.attrs["model_config"] = '{"class_name": "Sequential", "config": {"name": "s", "layers": []}}'
    file.attrs["layer_names"] = [b"conv"]
    group = file.create_group("conv")
    group.attrs["weight_names"] = [b"conv/bias:0"]
    group["conv/bias:0"] = numbers
