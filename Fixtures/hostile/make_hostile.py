#!/usr/bin/env python3
"""Writes the files of this folder that must be refused, each named for the hole it aims at or for what it is.

Tests/PyTorchImporterTests/HostileFilesTests.swift holds the message that each must get. Needs nothing but Python 3.
"""

import gzip
import io
import os
import pickle
import struct
import sys
import tarfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torch"))
import checkpoint_bytes as cb
from checkpoint_bytes import Call, Storage, Tensor, tensor, two_layers


def zipped(data_pickle, is_deflated=False, storages=None):
    """A sound zip around a pickle."""
    return cb.zip_file(cb.checkpoint_members(data_pickle, storages or {}, is_deflated=is_deflated))


def called(module_and_name, argument=b"X\x02\x00\x00\x00id"):
    """A pickle that calls a global with one argument."""
    return zipped(b"\x80\x02c" + module_and_name.replace(" ", "\n").encode() + b"\n" + argument + b"\x85R.")


def one_tensor(size, stride, offset=0, storage=None):
    """A checkpoint of a single tensor."""
    return cb.zip_checkpoint({"weight": Tensor(storage or Storage("f", range(8)), size, stride, offset)})


def pickles():
    """Pickles that run things, and pickles that are damaged or endless."""
    # A list of two lists of two lists … 64 levels: 2^64 leaves in 300 bytes.
    laughs = b"\x80\x02]q\x00" + b"".join(
        b"0]q" + bytes([level]) + b"(h" + bytes([level - 1]) + b"h" + bytes([level - 1]) + b"e"
        for level in range(1, 65)) + b"."
    laughing_module = b"\x80\x02ctorch.nn\nModule\nq\x00)\x81q\x01}b"
    children = laughing_module
    for level in range(2, 50):
        modules = b"X\x08\x00\x00\x00_modules}(" + b"".join(
            b"X\x01\x00\x00\x00" + name + b"h" + bytes([level - 1]) for name in (b"a", b"b")) + b"u"
        children += b"0h\x00)\x81q" + bytes([level]) + b"}(" + modules + b"X\x0b\x00\x00\x00_parameters}ub"
    calls = {
        "calls_posix_system": "posix system", "calls_os_popen": "os popen", "calls_builtins_eval": "builtins eval",
        "calls_builtin_file": "__builtin__ file", "calls_subprocess_popen": "subprocess Popen",
        "calls_runpy": "runpy _run_code", "calls_importlib": "importlib import_module",
    }
    files = {f"{name}.pth": called(target) for name, target in calls.items()}
    files |= {
        "calls_by_inst.pth": zipped(b"\x80\x02(X\x02\x00\x00\x00idios\nsystem\n."),
        "calls_by_stack_global.pth": zipped(b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x02id\x85R."),
        "calls_legacy_system.pth": pickle.dumps(0x1950A86A20F9469CFC6C, 2) + b"\x80\x02cposix\nsystem\nX\x02\x00\x00\x00id\x85R.",
        "hidden_in_call.pth": cb.zip_checkpoint(
            Call(cb.stand_in("mystyle.io.decrypt", True), {"weight": tensor(4, 3)})),
        "value_hidden_in_call.pth": cb.zip_checkpoint(
            two_layers() | {"conv9.weight": Call(cb.stand_in("mystyle.io.unpack", True), tensor(4, 3))}),
        "quantized_tensor.pth": cb.zip_checkpoint(
            two_layers() | {"conv9.weight": Call(cb.stand_in("torch._utils._rebuild_qtensor", True), tensor(4, 3))}),
        "deep_nesting.pth": zipped(b"\x80\x02" + b"]" * 200_000 + b"a" * 199_999 + b".", True),
        "deep_tuples.pth": zipped(b"\x80\x02)" + b"\x85" * 200_000 + b".", True),
        "list_in_itself.pth": zipped(b"\x80\x02]q\x00h\x00a."),
        "dict_in_itself.pth": zipped(b"\x80\x02}q\x00X\x01\x00\x00\x00ah\x00s."),
        "module_in_itself.pth": zipped(
            b"\x80\x02ctorch.nn\nModule\n)\x81q\x00}(X\x08\x00\x00\x00_modules}X\x01\x00\x00\x00ah\x00s"
            b"X\x0b\x00\x00\x00_parameters}ub."),
        "parameter_in_itself.pth": zipped(
            b"\x80\x02ctorch.nn.parameter\nParameter\n]q\x00Rq\x010h\x00h\x01a0}X\x01\x00\x00\x00wh\x01s."),
        "billion_laughs.pth": zipped(laughs),
        "laughing_modules.pth": zipped(children + b"."),
        "long4_of_2_to_the_31.pth": zipped(b"\x80\x02\x8b\xff\xff\xff\x7f\x00."),
        "long4_negative.pth": zipped(b"\x80\x02\x8b\xff\xff\xff\xff."),
        "text_of_4_gigabytes.pth": zipped(b"\x80\x02X\xff\xff\xff\xffab."),
        "bytes_of_2_to_the_63.pth": zipped(b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xff."),
        "missing_memo.pth": zipped(b"\x80\x02h\x07."),
        "empty_stack.pth": zipped(b"\x80\x02R."),
        "pops_below_mark.pth": zipped(b"\x80\x02]](a."),
        "mark_never_opened.pth": zipped(b"\x80\x02]e."),
        "no_stop.pth": zipped(b"\x80\x02}"),
        "unknown_opcode.pth": zipped(b"\x80\x02\xff."),
        "protocol_6.pth": zipped(b"\x80\x06}."),
        # Thousands of objects over one long list or dict: looking through each again would take hours.
        "shared_pairs.pth": zipped(
            b"\x80\x02ccollections\nOrderedDict\nq\x00](" + b"NN\x86" * 200_000 + b"e\x85q\x0200]("
            + b"h\x00h\x02R" * 200_000 + b"e.", True),
        "shared_attributes.pth": zipped(
            b"\x80\x02cmystyle\nThing\nq\x00}(" + b"".join(b"M" + struct.pack("<H", key) + b"N" for key in range(20_000))
            + b"uq\x0100](" + b"h\x00)\x81h\x01b" * 100_000 + b"e.", True),
        "long_key_many_times.pth": zipped(
            b"\x80\x02X\x00\x00\x10\x00" + b"k" * (1 << 20) + b"q\x000}(" + b"h\x00N" * 500_000 + b"u.", True),
        "too_many_objects.pth": zipped(b"\x80\x02" + b"}0" * 600_000 + b"}.", True),
        "too_many_marks.pth": zipped(b"\x80\x02" + b"(" * 2_200_000 + b"}.", True),
    }
    return files


def tensors():
    """Tensors that reach beyond their storage, or make too much of it."""
    def no_data(thing):
        data_pickle, storages = cb.pickled(thing)
        members = cb.checkpoint_members(data_pickle, storages)
        return cb.zip_file([member for member in members if "/data/" not in member[0]])

    cb.STORAGE_CLASSES["quint8"] = cb.stand_in("torch.QUInt8Storage")
    cb.ELEMENT_CODES["quint8"] = "B"
    legacy = cb.legacy_checkpoint(two_layers())
    return {
        "offset_beyond_storage.pth": one_tensor((2, 2), (2, 1), 5),
        "stride_beyond_storage.pth": one_tensor((2, 2), (8, 1)),
        "negative_offset.pth": one_tensor((2, 2), (2, 1), -1),
        "negative_stride.pth": one_tensor((2, 2), (-2, 1), 4),
        "negative_size.pth": one_tensor((-2, -2), (2, 1)),
        "overflowing_size.pth": one_tensor((1 << 40, 1 << 40), (0, 0)),
        "overflowing_stride.pth": one_tensor((1 << 40, 2), (1 << 40, 1)),
        "expanded_to_a_terabyte.pth": one_tensor((1 << 19, 1 << 19), (0, 0)),
        "strides_of_another_rank.pth": one_tensor((2, 2), (1,)),
        "storage_count_lie.pth": one_tensor((100,), (1,), 0, Storage("f", range(8), count=100)),
        "storage_missing.pth": no_data(two_layers()),
        "storage_class_unknown.pth": cb.zip_checkpoint(
            two_layers() | {"conv9.weight": Tensor(Storage("quint8", [1, 2, 3]), (3,))}),
        "legacy_cut_short.pth": legacy[:-20],
        "legacy_trailing_bytes.pth": legacy + b"more",
        "legacy_count_lie.pth": legacy[:-20] + struct.pack("<q", 1 << 60) + legacy[-12:],
        "no_weights.pth": cb.zip_checkpoint({"epoch": 3, "loss": [1.0, 2.0]}),
        "tensor_without_name.pth": cb.zip_checkpoint(tensor(4, 3)),
    }


def zips():
    """Zips that contradict themselves."""
    sound = cb.zip_checkpoint(two_layers())
    data_pickle, storages = cb.pickled(two_layers())
    members = cb.checkpoint_members(data_pickle, storages)

    def lying(change, only="fixture/data/0", deflated=False):
        def lie(record):
            if record.name.decode() == only:
                change(record)

        return cb.zip_file([(name, content, deflated) for name, content, *_ in members], lie=lie)

    def flip(data, position):
        return data[:position] + bytes([data[position] ^ 1]) + data[position + 1:]

    zeros = b"\0" * (8 << 20)
    # Ten times 8 MiB of zeros: each may inflate to that, all together may not.
    bomb = [("fixture/data.pkl", data_pickle, False)] + [(f"fixture/data/{key}", zeros, True) for key in range(10)]
    cut = len(sound) * 6 // 10
    end = len(sound) - 22
    first_data = sound.index(struct.pack("<f", -1.0))
    return {
        "truncated.pth": sound[:cut],
        "zip_crc.pth": flip(sound, first_data),
        "zip_duplicate_name.pth": cb.zip_file(members + [members[0]]),
        "zip_overlap.pth": lying(lambda r: setattr(r, "stored_size", 600) or setattr(r, "size", 600)),
        "zip_member_beyond_end.pth": lying(lambda r: setattr(r, "stored_size", 1 << 30) or setattr(r, "size", 1 << 30)),
        "zip_offset_beyond_end.pth": lying(lambda r: setattr(r, "offset", 1 << 30)),
        "zip_inflates_to_more.pth": lying(lambda r: setattr(r, "size", r.size - 1), deflated=True),
        "zip_inflates_to_less.pth": lying(lambda r: setattr(r, "size", r.size + 1), deflated=True),
        "zip_impossible_ratio.pth": lying(lambda r: setattr(r, "size", 1 << 30), deflated=True),
        "zip_bomb.pth": cb.zip_file(bomb),
        "zip_two_names.pth": lying(lambda r: setattr(r, "local_name", b"fixture/data/X")),
        "zip_encrypted.pth": lying(lambda r: setattr(r, "flags", r.flags | 1), only="fixture/data.pkl"),
        "zip_method_12.pth": lying(lambda r: setattr(r, "method", 12), only="fixture/data.pkl"),
        "zip_split.pth": sound[:end + 4] + struct.pack("<HH", 1, 0) + sound[end + 8:],
        "zip_count_lie.pth": sound[:end + 8] + struct.pack("<HH", 60000, 60000) + sound[end + 12:],
        "zip_directory_offset_lie.pth": sound[:end + 16] + struct.pack("<I", 7) + sound[end + 20:],
        "zip64_locator_lie.pth": sound[:end] + struct.pack("<IIQI", 0x07064B50, 0, 1 << 62, 1) + sound[end:],
        "two_checkpoints.pth": cb.zip_file(members + cb.checkpoint_members(data_pickle, storages, folder="other")),
        "byteorder_unknown.pth": cb.zip_file(
            [(name, b"middle" if name.endswith("byteorder") else content) for name, content, *_ in members]),
    }


def other_kinds():
    """What people pass for a checkpoint by mistake."""
    def tar(names):
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w") as archive:
            for name in names:
                information = tarfile.TarInfo(name)
                information.size = 4
                archive.addfile(information, io.BytesIO(b"data"))
        return file.getvalue()[:10240]

    def names_zip(*names):
        return cb.zip_file([(name, b"x") for name in names])

    def torch_script(data_pickle, *members):
        return cb.zip_file([("net/data.pkl", data_pickle), ("net/constants.pkl", b"x"), *members])

    page = b"\n<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in</body></html>\n"
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"ab" * 32 + b"\nsize 6726090\n"
    onnx_model = b"\x08\x07\x12\x07pytorch\x1a\x031.9\x3a\x04\x12\x02ab\x42\x02\x10\x0b"
    core_ml_model = b"\x08\x04\x12\x06\x0a\x04\x0a\x02in\xa2\x1f\x02\x0a\x00"
    return {
        "photo.jpg.pth": bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9"),
        "picture.png.pth": bytes.fromhex("89504e470d0a1a0a0000000d49484452"),
        "picture.gif.pth": b"GIF89a\x01\x00\x01\x00\x00\x00\x00;",
        "picture.webp.pth": b"RIFF\x1a\x00\x00\x00WEBPVP8L",
        "page.html.pth": page,
        "denied.xml.pth": b'<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>\n',
        "not_found.json.pth": b'{"error": "not found"}\n',
        "notes.txt.pth": b"see the release page\n",
        "lfs_pointer.pth": pointer,
        "empty.pth": b"",
        "torchscript.pt": names_zip("net/data.pkl", "net/constants.pkl", "net/code/__torch__.py", "net/version"),
        "torchscript_of_2018.pt": names_zip("net/version", "net/code/net.py", "net/tensors/0", "net/model.json"),
        "torchscript_in_itself.pt": torch_script(
            b"\x80\x02c__torch__\nNet\n)\x81q\x00}X\x01\x00\x00\x00ah\x00sb."),
        "torchscript_frozen.pt": torch_script(
            b"\x80\x02c__torch__\nNet\n)\x81}X\x08\x00\x00\x00training\x89sb.", ("net/constants/0", bytes(16))),
        "torchscript_calls_posix_system.pt": torch_script(
            b"\x80\x02c__torch__\nNet\n)\x81}X\x01\x00\x00\x00acposix\nsystem\nX\x02\x00\x00\x00id\x85Rsb."),
        "model.t7": struct.pack("<iii3si", 4, 1, 3, b"V 1", 13) + b"nn.Sequential",
        "table.t7": struct.pack("<iiii", 3, 1, 2, 2) + struct.pack("<i", 5) + b"model",
        "ascii.t7": b"4\n1\n3\nV 1\n13\nnn.Sequential\n",
        "plain.pkl": pickle.dumps({"weight": [1.0, 2.0]}, 2),
        "plain_protocol_0.pkl": pickle.dumps({"weight": [1.0, 2.0]}, 0),
        "weights.pth.gz": gzip.compress(b"checkpoint", mtime=0),
        "weights.tar": tar(["weights/model.pth"]),
        "torch_0.1.pth": tar(["sys_info", "pickle", "tensors", "storages"]),
        "model.onnx": onnx_model,
        "model.mlmodel": core_ml_model,
        "weights.h5": b"\x89HDF\r\n\x1a\n" + bytes(16),
        "model.keras": names_zip("metadata.json", "config.json", "model.weights.h5"),
        "weights.npz": names_zip("conv1.npy", "conv2.npy"),
        "weights.npy": b"\x93NUMPY\x01\x00",
        "model.safetensors": struct.pack("<Q", 16) + b'{"__metadata__":' + bytes(8),
        "model.tflite": b"\x1c\x00\x00\x00TFL3" + bytes(8),
        "documents.zip": names_zip("readme.txt"),
        "noise.bin": bytes(range(255, 100, -1)),
    }


def main():
    """Writes every file."""
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name, content in (pickles() | tensors() | zips() | other_kinds()).items():
        with open(name, "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
