#!/usr/bin/env python3
"""Writes the Core ML packages of this folder that must be refused, each named for the hole it aims at.

messages.txt holds the message that each must get. Needs nothing but Python 3.
"""

import json
import os
import shutil
import struct


def varint(value):
    value &= (1 << 64) - 1
    result = b""
    while value >= 0x80:
        result += bytes([value & 0x7F | 0x80])
        value >>= 7
    return result + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def entry(field, key, value):
    return block(field, block(1, key) + block(2, value))


def tensor_type(kind, extents):
    dimensions = b"".join(block(3, block(1, number(1, extent))) for extent in extents)
    return block(1, number(1, kind) + number(2, len(extents)) + dimensions)


FLOAT32, INT32, UINT1, UINT8 = 11, 23, 36, 31


def immediate(kind, extents, field, values):
    return block(2, tensor_type(kind, extents)) + block(3, block(1, block(field, block(1, values))))


def floats(*values):
    return immediate(FLOAT32, [len(values)], 1, struct.pack(f"<{len(values)}f", *values))


def integers(*values):
    return immediate(INT32, [len(values)], 2, b"".join(varint(value) for value in values))


def blob(kind, extents, offset, name="@model_path/weights/weight.bin"):
    return block(2, tensor_type(kind, extents)) + block(5, block(1, name) + number(2, offset))


def output(name):
    return block(3, block(1, name) + block(2, tensor_type(FLOAT32, [1, 3, 8, 8])))


def const(name, value):
    return block(3, block(1, "const") + output(name) + entry(5, "val", value))


def operation(kind, name, nested=b"", **inputs):
    arguments = b"".join(entry(2, role, block(1, block(1, source))) for role, source in inputs.items())
    return block(3, block(1, kind) + arguments + output(name) + nested)


def compressed(kind, name, **parts):
    return block(3, block(1, kind) + output(name) + b"".join(entry(5, role, value) for role, value in parts.items()))


def feature(name, width=8, height=8, extra=b""):
    image = number(1, width) + number(2, height) + number(3, 20) + extra
    return block(1, name) + block(3, block(4, image))


def program(operations, result="y", opset="CoreML5", block_key="CoreML5", extents=(1, 3, 8, 8)):
    body = block(2, result) + operations
    inputs = block(1, block(1, "x") + block(2, tensor_type(FLOAT32, list(extents))))
    function = inputs + block(2, opset) + block(3, block(1, block_key) + block(2, body))
    return number(1, 1) + block(2, block(1, "main") + block(2, function))


def model(operations, result="y", given=None, **settings):
    description = block(1, given or feature("x")) + block(10, feature(result))
    return number(1, 6) + block(2, description) + block(502, program(operations, result, **settings))


def weights(*tensors, version=2):
    """A weight file of (type, bytes) tensors, or whole metadata as bytes."""
    result = struct.pack("<II", len(tensors), version) + bytes(56)
    for tensor in tensors:
        code, data = tensor
        metadata = struct.pack("<IIQQQ", 0xDEADBEEF, code, len(data), len(result) + 64, 0) + bytes(32)
        result += metadata + data + bytes(-len(data) % 64)
    return result


def manifest(path="com.apple.CoreML/model.mlmodel", root="m", version="1.0.0", **items):
    entries = {"m": {"path": path, "name": "model.mlmodel"}, "w": {"path": "com.apple.CoreML/weights"}} | items
    return json.dumps({"fileFormatVersion": version, "rootModelIdentifier": root, "itemInfoEntries": entries})


RELU = operation("relu", "y", x="x")
CONV = operation("conv", "y", x="x", weight="w")
KERNEL = [3, 3, 1, 1]


def convolution(value, **settings):
    return model(const("w", value) + CONV, **settings)


def nested(depth):
    inner = b""
    for _ in range(depth):
        inner = block(4, block(3, block(1, "cond") + inner))
    return operation("cond", "y", inner, x="x")


def packages():
    """Each package as its manifest, its model and its weights; None is a file that is missing."""
    good = weights((2, bytes(36)))
    lies = {}
    for name, place, value in [("type", 68, 3), ("size", 72, 1 << 40), ("place", 80, 1 << 62), ("sentinel", 64, 1)]:
        changed = bytearray(good)
        struct.pack_into("<I" if place < 72 else "<Q", changed, place, value)
        lies[name] = bytes(changed)
    many = b"".join(
        compressed("constexpr_sparse_to_dense", f"w{n}", nonzero_data=immediate(FLOAT32, [0], 1, b""),
                   mask=blob(UINT8, [1 << 16], 64), shape=immediate(33, [1], 7, struct.pack("<I", 1 << 19)))
        for n in range(40))
    huge = number(1, 6) + block(2, b"") + varint(502 << 3 | 2) + varint(1 << 40)
    return {
        # The manifest.
        "manifest_climbs": (manifest(path="../../../etc/passwd"), model(RELU), good),
        "manifest_absolute": (manifest(path="/etc/passwd"), model(RELU), good),
        "manifest_item_climbs": (manifest(z={"path": "com.apple.CoreML/../../.."}), model(RELU), good),
        "manifest_no_root": (manifest(root="n"), model(RELU), good),
        "manifest_version": (manifest(version="2.0.0"), model(RELU), good),
        "manifest_key_twice": ('{"fileFormatVersion":"1.0.0","fileFormatVersion":"1.0.0"}', model(RELU), good),
        "manifest_deep": ("[" * 5000, model(RELU), good),
        "manifest_root_is_folder": (manifest(path="com.apple.CoreML"), model(RELU), good),
        # Files that are missing or something else.
        "weights_missing": (manifest(), convolution(blob(FLOAT32, KERNEL, 64)), None),
        "weights_empty": (manifest(), convolution(blob(FLOAT32, KERNEL, 64)), b""),
        "weights_version_1": (manifest(), convolution(blob(FLOAT32, KERNEL, 64)), weights((2, bytes(36)), version=1)),
        "weights_climb": (manifest(), convolution(blob(FLOAT32, KERNEL, 64, "@model_path/../../secret")), good),
        "weights_elsewhere": (manifest(), convolution(blob(FLOAT32, KERNEL, 64, "/etc/passwd")), good),
        "weights_unlisted": (manifest(), convolution(blob(FLOAT32, KERNEL, 64, "@model_path/weights/other.bin")), good),
        # Offsets and metadata.
        "offset_zero": (manifest(), convolution(blob(FLOAT32, KERNEL, 0)), good),
        "offset_unaligned": (manifest(), convolution(blob(FLOAT32, KERNEL, 100)), good),
        "offset_in_data": (manifest(), convolution(blob(FLOAT32, KERNEL, 128)), good),
        "offset_beyond_end": (manifest(), convolution(blob(FLOAT32, KERNEL, 1 << 32)), good),
        "offset_of_2_to_the_63": (manifest(), convolution(blob(FLOAT32, KERNEL, 1 << 63)), good),
        "metadata_type_lies": (manifest(), convolution(blob(FLOAT32, KERNEL, 64)), lies["type"]),
        "metadata_size_lies": (manifest(), convolution(blob(FLOAT32, KERNEL, 64)), lies["size"]),
        "metadata_place_lies": (manifest(), convolution(blob(FLOAT32, KERNEL, 64)), lies["place"]),
        "metadata_no_sentinel": (manifest(), convolution(blob(FLOAT32, KERNEL, 64)), lies["sentinel"]),
        "shape_too_large": (manifest(), convolution(blob(FLOAT32, [1 << 20, 1 << 20, 3, 3], 64)), good),
        "shape_overflows": (manifest(), convolution(blob(FLOAT32, [1 << 62, 1 << 62], 64)), good),
        "immediate_too_short": (manifest(), convolution(immediate(FLOAT32, KERNEL, 1, bytes(4))), good),
        "immediate_wrong_type": (manifest(), convolution(immediate(FLOAT32, KERNEL, 2, b"\1" * 9)), good),
        # The message.
        "nested_deep": (manifest(), model(nested(10_000)), good),
        "nested_blocks": (manifest(), model(nested(2)), good),
        "length_bomb": (manifest(), huge, good),
        "no_function": (manifest(), number(1, 6) + block(2, block(1, feature("x"))) + block(502, number(1, 1)), good),
        "no_operator_set": (manifest(), model(RELU, block_key="CoreML6"), good),
        "no_program": (manifest(), number(1, 6) + block(2, b"") + block(500, b""), good),
        # The program.
        "cycle": (manifest(), model(operation("relu", "y", x="z") + operation("relu", "z", x="y")), good),
        "uses_itself": (manifest(), model(operation("relu", "y", x="y")), good),
        "output_missing": (manifest(), model(operation("relu", "z", x="x"), result="y"), good),
        "input_of_no_description": (manifest(), model(RELU, given=feature("other")), good),
        "size_zero": (manifest(), model(RELU, given=feature("x", width=0)), good),
        "size_huge": (manifest(), model(RELU, given=feature("x", width=1 << 40)), good),
        "range_upside_down": (
            manifest(), model(RELU, given=feature("x", extra=block(
                31, block(1, number(1, 64) + number(2, 8)) + block(2, number(1, 64) + number(2, 8)))),
                extents=(1, 3, 8, 8)), good),
        "pad_of_terabytes": (manifest(), model(
            const("p", integers(1 << 30, 1 << 30, 1 << 30, 1 << 30)) + operation("pad", "y", x="x", pad="p")), good),
        "stride_zero": (manifest(), model(
            const("w", immediate(FLOAT32, KERNEL, 1, bytes(36))) + const("s", integers(0, 0))
            + operation("conv", "y", x="x", weight="w", strides="s")), good),
        "integers_as_weights": (manifest(), convolution(immediate(INT32, KERNEL, 2, b"\1" * 9)), good),
        "unknown_operation": (manifest(), model(operation("while_loop", "y", x="x")), good),
        "decodes_to_gigabytes": (manifest(), model(many + RELU), weights((3, bytes(1 << 16)))),
    }


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    for name, (listing, body, data) in packages().items():
        folder = os.path.join(here, name + ".mlpackage")
        shutil.rmtree(folder, ignore_errors=True)
        core = os.path.join(folder, "Data", "com.apple.CoreML")
        os.makedirs(os.path.join(core, "weights"))
        files = {os.path.join(folder, "Manifest.json"): listing.encode(), os.path.join(core, "model.mlmodel"): body}
        # Git keeps no empty folders.
        files[os.path.join(core, "weights", "weight.bin" if data is not None else "empty")] = data or b""
        for path, content in files.items():
            with open(path, "wb") as file:
                file.write(content)
