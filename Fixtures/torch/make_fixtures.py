#!/usr/bin/env python3
"""Writes the checkpoints of this folder, each named for what is inside. Needs nothing but Python 3."""

import argparse
import collections
import os
import pickletools
import struct

import checkpoint_bytes as cb
from checkpoint_bytes import Call, Storage, Tensor, tensor, two_layers

parameter = cb.stand_in("torch._utils._rebuild_parameter", True)
parameter_with_state = cb.stand_in("torch._utils._rebuild_parameter_with_state", True)
from_type = cb.stand_in("torch._tensor._rebuild_from_type_v2", True)
parameter_class = cb.stand_in("torch.nn.parameter.Parameter")
scalar = cb.stand_in("numpy.core.multiarray.scalar", True)
dtype = cb.stand_in("numpy.dtype")
size_class = cb.stand_in("torch.Size", bases=(tuple,))


class Dtype:
    """A torch.dtype: pickles as the global of its name."""

    def __init__(self, name):
        self.name = name
        setattr(cb.module("torch"), name, self)
        self.__module__, self.__qualname__ = "torch", name

    def __reduce_ex__(self, _protocol):
        return self.name


float32 = Dtype("float32")


def nn(dotted, parameters=None, buffers=None, modules=None, **attributes):
    """A torch.nn.Module as its pickle shows it."""
    instance = object.__new__(cb.stand_in("torch.nn.modules." + dotted))
    empty = collections.OrderedDict
    instance.__dict__.update(
        training=False, _parameters=empty(parameters or {}), _buffers=empty(buffers or {}),
        _non_persistent_buffers_set=set(), _backward_hooks=empty(), _forward_hooks=empty(),
        _modules=empty(modules or {}), **attributes)
    return instance


def whole_module():
    """Two layers as a Sequential: reflection padding, convolution of stride 2, norm, transposed convolution."""
    def wrap(thing):
        return Call(parameter, thing, True, collections.OrderedDict())

    pad = nn("padding.ReflectionPad2d", padding=(1, 1, 1, 1))
    conv = nn(
        "conv.Conv2d", {"weight": wrap(tensor(4, 3, 3, 3)), "bias": None}, stride=(2, 2), padding=(0, 0),
        dilation=(1, 1), groups=1, output_padding=(0, 0), padding_mode="zeros", kernel_size=(3, 3))
    norm = nn(
        "instancenorm.InstanceNorm2d", {"weight": wrap(tensor(4)), "bias": wrap(tensor(4))},
        {"running_mean": None}, eps=1e-3, track_running_stats=False, affine=True)
    up = nn(
        "conv.ConvTranspose2d", {"weight": wrap(tensor(4, 3, 3, 3)), "bias": wrap(tensor(3))}, stride=(2, 2),
        padding=(1, 1), dilation=(1, 1), groups=1, output_padding=(1, 1), padding_mode="zeros", kernel_size=(3, 3))
    same = nn(
        "conv.Conv2d", {"weight": wrap(tensor(3, 3, 5, 5)), "bias": None}, stride=(1, 1), padding="same",
        dilation=(1, 1), groups=1, output_padding=(0, 0), padding_mode="reflect", kernel_size=(5, 5))
    return nn("container.Sequential", modules={"0": pad, "1": conv, "2": norm, "3": up, "4": same})


def element_types():
    """One tensor a type, a scalar, an empty tensor and numbers that are none."""
    result = {name: tensor(5, code=code) for name, code in [("double", "d"), ("float", "f"), ("half", "e"), ("bfloat16", "bf16")]}
    for name, code in [("long", "q"), ("int", "i"), ("short", "h"), ("char", "b")]:
        result[name] = Tensor(Storage(code, [-2, -1, 0, 1, 2]), (5,))
    result["byte"] = Tensor(Storage("B", [0, 1, 2, 254, 255]), (5,))
    result["bool"] = Tensor(Storage("?", [True, False, True, True, False]), (5,))
    result["scalar"] = Tensor(Storage("q", [12345]), ())
    result["empty"] = Tensor(Storage("f", []), (0, 3))
    result["nonfinite"] = Tensor(Storage("f", [float("nan"), float("inf"), -float("inf")]), (3,))
    return result


def views():
    """Several looks at one storage of 24 floats, as slicing, transposing and expanding make them."""
    base = Storage("f", range(24))
    return {
        "whole": Tensor(base, (2, 3, 4)),
        "again": Tensor(base, (2, 3, 4)),
        "transposed": Tensor(base, (4, 6), (1, 4)),
        "sliced": Tensor(base, (2, 2), (12, 1), 5),
        "expanded": Tensor(base, (3, 2), (0, 1), 2),
        "channels_last": Tensor(base, (2, 3, 2, 2), (12, 1, 6, 3)),
    }


def wrappers():
    """The ways in which PyTorch has wrapped parameters; each is tensor(2, 3)."""
    def view(version):
        made = tensor(2, 3)
        made.version, made.dtype = version, float32
        return made

    raw = Storage("untyped", cb.pack("f", cb.numbers(6)))
    hooks = collections.OrderedDict()
    return {
        "v1": view(1),
        "v2": view(2),
        "v3": Tensor(raw, (2, 3), version=3, dtype=float32),
        "parameter": Call(parameter, view(2), True, hooks),
        "with_state": Call(parameter_with_state, view(2), True, hooks, {"tag": 1}),
        "old_parameter": Call(parameter_class, view(1)),
        "from_type": Call(from_type, cb.REBUILD[2], parameter_class, view(2).__reduce_ex__(2)[1], {}),
        "sized": Call(cb.REBUILD[2], Storage("f", cb.numbers(6)), 0, Call(size_class, (2, 3)), (3, 1), False, hooks),
    }


def training_state():
    """A checkpoint in mid-training: counters, NumPy scalars, arguments, an optimizer with tensors of its own."""
    loss = Call(scalar, Call(dtype, "f8", False, True), struct.pack("<d", 0.5))
    moments = {index: {"step": 3, "exp_avg": tensor(4), "exp_avg_sq": tensor(4)} for index in range(6)}
    return {
        "epoch": 3, "loss": loss, "args": argparse.Namespace(lr=1e-3, style="mosaic.jpg"), "dtype": float32,
        "state_dict": two_layers(), "history": [0.5] * 3,
        "optimizer": {"state": moments, "param_groups": [{"lr": 1e-3, "params": list(range(6))}]},
    }


def python_2(data):
    """The same pickle with its texts as Python 2 wrote them: as byte strings."""
    operations = list(pickletools.genops(data))
    ends = [position for _, _, position in operations[1:]] + [len(data)]
    out = b""
    for (code, argument, position), end in zip(operations, ends):
        if code.name == "BINUNICODE":
            out += b"U" + bytes([len(argument)]) + argument.encode()
        else:
            out += data[position:end]
    return out


def main():
    """Writes every file."""
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    old_pickle, old_storages = cb.pickled(two_layers())
    files = {
        "state_dict.pth": cb.zip_checkpoint(two_layers()),
        "deflated.pth": cb.zip_checkpoint(two_layers(), is_deflated=True),
        "descriptors.pth": cb.zip_checkpoint(two_layers(), descriptors=True),
        "zip64.pth": cb.zip_checkpoint(two_layers(), zip64=True),
        "protocol_4.pth": cb.zip_checkpoint(two_layers(), protocol=4),
        "no_byteorder.pth": cb.zip_checkpoint(two_layers(), byte_order=None),
        "big_endian.pth": cb.zip_checkpoint(two_layers(), byte_order="big"),
        "cuda.pth": cb.zip_checkpoint(two_layers(location="cuda:0")),
        "python_2.pth": cb.zip_file(cb.checkpoint_members(python_2(old_pickle), old_storages)),
        "legacy.pth.tar": cb.legacy_checkpoint(two_layers()),
        "legacy_from_big_endian.pth": cb.legacy_checkpoint(two_layers(), little_endian=False),
        "legacy_big_endian.pth": cb.legacy_checkpoint(
            two_layers(), little_endian=False, data_order=">", count_order=">"),
        "training_state.pth": cb.zip_checkpoint(training_state()),
        "nested_twice.pth": cb.zip_checkpoint({
            "rng": Tensor(Storage("B", range(16)), (16,)),
            "ckpt": {"epoch": 1, "net_state": two_layers("module._orig_mod.")}}),
        "mean_beside.pth": cb.zip_checkpoint({"mean": tensor(3), "mosaic": two_layers()}),
        "generator.pth": cb.zip_checkpoint(
            {"discriminator": two_layers(), "generator": two_layers(), "step": 9}),
        "two_generators.pth": cb.zip_checkpoint(
            {"netG_A": two_layers(), "netG_B": two_layers(step=5), "optimizer_G": two_layers()}),
        "whole_module.pth": cb.zip_checkpoint(whole_module()),
        "legacy_whole_module.pth": cb.legacy_checkpoint(whole_module()),
        "element_types.pth": cb.zip_checkpoint(element_types()),
        "element_types_big_endian.pth": cb.zip_checkpoint(element_types(), byte_order="big"),
        "views.pth": cb.zip_checkpoint(views()),
        "wrappers.pth": cb.zip_checkpoint(wrappers()),
        # The bare pickle, which the fuzzer starts from: a zip's checksums keep it from changing this in place.
        "whole_module.data.pkl": cb.pickled(whole_module())[0],
        "training_state.data.pkl": cb.pickled(training_state())[0],
        "views.data.pkl": cb.pickled(views())[0],
    }
    for name, content in files.items():
        with open(name, "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
