#!/usr/bin/env python3
"""Writes the Core ML files of this folder that must be refused, each named for the hole it aims at.

messages.txt holds the message that each must get. Needs nothing but Python 3.
"""
import os
import struct

here = os.path.dirname(os.path.abspath(__file__))


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, data=b""):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def floats(field, values):
    return block(field, struct.pack(f"<{len(values)}f", *values))


def numbers(field, values):
    return block(field, b"".join(map(varint, values)))


def image(width=16, height=16, more=b"", color=20):
    return block(4, number(1, width) + number(2, height) + number(3, color) + more)


def feature(field, name, kind):
    return block(field, block(1, name) + block(3, kind))


def model(layers=b"", source=image(), result=image(), version=4, kind=500, network=None, more=b""):
    """A model that takes `x` and gives `y`."""
    body = layers + number(5, 1) + number(6, 1) if network is None else network
    description = feature(1, "x", source) + feature(10, "y", result)
    return number(1, version) + block(2, description) + block(kind, body) + more


def layer(kind, params=b"", inputs=("x",), outputs=("y",), name="l"):
    return block(1, block(1, name) + b"".join(block(2, i) for i in inputs) + b"".join(block(3, o) for o in outputs)
                 + block(kind, params))


def convolution(weights=None, outputs=3, inputs=3, taps=(1, 1), more=b""):
    weights = floats(1, [1.0] * 9) if weights is None else weights
    return layer(100, number(1, outputs) + number(2, inputs) + numbers(20, taps) + more + block(90, weights))


def quantized(raw, bits, kind):
    return block(30, raw) + block(40, number(1, bits) + kind)


def nested(fields, depth):
    """Messages within messages, by the fields that lead from one to the next."""
    data = b""
    for _ in range(depth):
        for field in reversed(fields):
            data = block(field, data)
    return data


def pipeline(inner, depth):
    """Pipelines of one model each, around a model."""
    for _ in range(depth):
        description = feature(1, "x", image()) + feature(10, "y", image())
        inner = number(1, 4) + block(2, description) + block(202, block(1, inner))
    return inner


relu = layer(130, block(10))
sound = model(relu)
files = {
    # Structure.
    "no_description": number(1, 4) + block(500, relu),
    "no_version": block(2, feature(1, "x", image())) + block(500, relu),
    "description_twice": sound + block(2, feature(1, "x", image())),
    "no_kind": number(1, 4) + block(2, feature(1, "x", image()) + feature(10, "y", image())),
    "deep_pipelines": pipeline(sound, 40),
    "deep_programs": model(kind=502, network=block(2, block(1, "main") + block(2, block(3, block(1, "a") + block(2, nested((3, 4), 5000)))))),
    "deep_list_types": model(kind=502, network=block(4, block(1, "a") + block(2, block(2, nested((2, 1), 5000))))),
    "pipeline_of_two": number(1, 4) + block(2, b"") + block(202, block(1, sound) + block(1, sound)),
    "pipeline_of_none": number(1, 4) + block(2, b"") + block(202, b""),
    "pipeline_without_inner_description": number(1, 4) + block(2, b"") + block(202, block(1, number(1, 4) + block(500, relu))),
    "length_beyond_the_end": sound + varint(100 << 3 | 2) + varint(1 << 40),
    "length_of_2_to_the_64": sound + varint(100 << 3 | 2) + varint((1 << 64) - 1),
    "cut_in_a_number": sound + b"\xff\xff",
    "number_without_end": sound + b"\xff" * 12,
    "field_zero": sound + b"\x00\x00",
    "wire_type_7": sound + b"\x0f",
    "wrong_wire_type": number(1, 4) + number(2, 7),
    "text_with_nul": model(layer(130, block(10), name="a\x00b")),
    "text_not_utf8": model(block(1, block(1, b"\xc3\x28") + block(2, "x") + block(3, "y") + block(130, block(10)))),
    "empty_layers": model(block(1) * 60000),
    "specification_99": model(relu, version=99),
    # What goes in and comes out.
    "size_of_zero": model(relu, source=image(0, 0)),
    "size_negative": model(relu, source=image(-4, 16)),
    "size_of_2_to_the_40": model(relu, source=image(1 << 40, 16)),
    "range_upside_down": model(relu, source=image(more=block(31, block(1, number(1, 64) + number(2, 32)) + block(2, number(1, 1) + number(2, 9))))),
    "range_missing": model(relu, source=image(more=block(31))),
    "list_of_no_sizes": model(relu, source=image(more=block(21))),
    "colors_unknown": model(relu, source=image(color=77)),
    "grey_picture": model(relu, source=image(color=10)),
    "array_of_17_axes": model(relu, source=block(5, numbers(1, [1] * 17))),
    "array_extent_negative": model(relu, source=block(5, numbers(1, [3, -7, 4]))),
    # Layers.
    "too_many_layers": model(layer(600) * 20001),
    "layer_without_output": model(layer(130, block(10), outputs=()) + relu.replace(b"x", b"z")),
    "output_from_no_layer": model(layer(130, block(10), outputs=("z",))),
    "channels_of_2_to_the_63": model(convolution(outputs=1 << 63)),
    "channels_beyond_weights": model(convolution(outputs=1 << 20, inputs=1 << 20)),
    "product_overflows": model(convolution(outputs=1 << 24, inputs=1 << 24, taps=(4096, 4096))),
    "kernel_of_zero": model(convolution(taps=(0, 1))),
    "kernel_of_three_numbers": model(convolution(taps=(1, 1, 1))),
    "groups_that_do_not_divide": model(convolution(more=number(10, 2))),
    "weights_shorter_than_shape": model(convolution(floats(1, [1.0] * 8))),
    "words_shorter_than_shape": model(convolution(quantized(b"\x00" * 4, 4, block(101, floats(1, [1.0]))))),
    "words_of_64_bits": model(convolution(quantized(b"\x00" * 99, 64, block(101, floats(1, [1.0]))))),
    "scales_too_many": model(convolution(quantized(b"\x00" * 9, 8, block(101, floats(1, [1.0] * 7))))),
    "scales_infinite": model(convolution(quantized(b"\x00" * 9, 8, block(101, floats(1, [float("inf")]))))),
    "table_too_short": model(convolution(quantized(b"\x00" * 9, 8, block(102, floats(1, [1.0] * 255))))),
    "padding_of_a_billion": model(layer(200, block(2) + block(10, block(10, number(1, 1 << 30)) + block(10)))),
    "upsample_by_a_billion": model(layer(210, numbers(1, [1 << 30, 1 << 30]))),
    "upsample_until_it_overflows": model(
        b"".join(layer(210, numbers(1, [4096, 4096]), (a,), (b,)) for a, b in zip(["x", *"bcdef"], [*"bcdef", "y"]))),
    "output_shape_of_a_billion": model(convolution(more=number(60, 1) + numbers(100, [1 << 30, 1 << 30]))),
    "constant_of_a_trillion": model(layer(1070, numbers(1, [1 << 20, 1 << 20]) + block(2, floats(1, [1.0])), (), ("c",))
                                    + layer(880, b"", ("x", "c"))),
    "reshape_to_nothing": model(layer(1140, numbers(1, [0, 0]))),
    "transpose_that_repeats": model(layer(985, numbers(1, [0, 0, 2, 3]))),
    "split_into_a_billion": model(layer(330, number(1, 1 << 30))),
    "mean_image_too_short": model(relu + block(2, block(11, floats(1, [1.0] * 5)))),
}
# A style input as long as a file can say.
description = feature(1, "x", image()) + feature(1, "i", block(5, numbers(1, [1000000]))) + feature(10, "y", image())
files["styles_of_a_million"] = number(1, 4) + block(2, description) + block(
    500, layer(140, number(1, 1000000) + number(2, 3) + block(20, floats(1, [1.0])), ("i",), ("g",)) + layer(231, b"", ("x", "g")))

for name, data in files.items():
    with open(f"{here}/{name}.mlmodel", "wb") as file:
        file.write(data)
