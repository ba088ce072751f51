#!/usr/bin/env python3
"""Writes the safetensors files of this folder that must be refused, each named for the hole it aims at.

messages.txt holds the message that each must get. Needs nothing but Python 3.
"""

import json
import os
import struct


def file(header, data=b"", length=None):
    """A file of a header (text, or an object to be written as JSON) and data; the length may lie."""
    if not isinstance(header, bytes):
        header = json.dumps(header).encode()
    return struct.pack("<Q", len(header) if length is None else length) + header + data


def tensor(begin, end, shape, dtype="F32"):
    """What a header says of one tensor."""
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def headers():
    """Headers that are cut short, no JSON, or say something else than tensors."""
    one = {"w": tensor(0, 8, [2])}
    return {
        "length_cut_short": b"\x02\x00\x00\x00",
        "header_of_2_to_the_63": file(one, bytes(8), length=1 << 63),
        "header_too_long": file(one, bytes(8), length=100_000_001),
        "header_beyond_end": file(one, length=80),
        "space_before_header": file(b" " + json.dumps(one).encode(), bytes(8)),
        "header_is_a_list": file(b"[1]"),
        "header_cut_short": file(b'{"w":{"dtype":"F32","shape":[2],"data_off'),
        "header_not_utf8": file(b'{"\xff":1}'),
        "name_twice": file(
            b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"w":{"dtype":"F32","shape":[1],'
            b'"data_offsets":[4,8]}}', bytes(8)),
        "name_twice_by_escape": file(
            b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"\\u0077":{"dtype":"F32","shape":[1],'
            b'"data_offsets":[4,8]}}', bytes(8)),
        "deep_nesting": file(b'{"w":' + b"[" * 5000 + b"]" * 5000 + b"}"),
        "metadata_number": file({"__metadata__": {"epoch": 3}, **one}, bytes(8)),
        "metadata_list": file({"__metadata__": ["pt"], **one}, bytes(8)),
    }


def tensors():
    """Tensors that do not lie where they must, or are of no type that is read."""
    return {
        "hole": file({"a": tensor(0, 4, [1]), "b": tensor(8, 12, [1])}, bytes(12)),
        "hole_at_start": file({"a": tensor(4, 8, [1])}, bytes(8)),
        "overlap": file({"a": tensor(0, 8, [2]), "b": tensor(4, 12, [2])}, bytes(12)),
        "same_bytes_twice": file({"a": tensor(0, 8, [2]), "b": tensor(0, 8, [2])}, bytes(8)),
        "trailing_bytes": file({"a": tensor(0, 4, [1])}, bytes(4) + b"PK\x05\x06"),
        "beyond_end": file({"a": tensor(0, 8, [2])}, bytes(4)),
        "ends_before_it_begins": file({"a": tensor(8, 4, [1])}, bytes(8)),
        "negative_offset": file({"a": tensor(-4, 0, [1])}, bytes(4)),
        "offset_of_2_to_the_63": file({"a": tensor(0, 1 << 63, [1])}, bytes(4)),
        "shape_does_not_fit": file({"a": tensor(0, 8, [3])}, bytes(8)),
        "negative_extent": file({"a": tensor(0, 4, [-1])}, bytes(4)),
        "shape_overflows": file({"a": tensor(0, 4, [1 << 40, 1 << 40])}, bytes(4)),
        "extent_not_whole": file({"a": tensor(0, 4, [1.0])}, bytes(4)),
        "float8": file({"a": tensor(0, 4, [4], "F8_E4M3")}, bytes(4)),
        "unsigned_64": file({"a": tensor(0, 8, [1], "U64")}, bytes(8)),
        "no_dtype": file({"a": {"shape": [1], "data_offsets": [0, 4]}}, bytes(4)),
        "one_field_more": file({"a": {**tensor(0, 4, [1]), "scale": 2}}, bytes(4)),
        "three_offsets": file({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 2, 4]}}, bytes(4)),
    }


GRAPH = """graph {
  pixels(raw255)
  input %x "image"
  %y = conv(%x, weight: @"w")
  output %y
}
"""


def described(graph=GRAPH, encodings=None, extra=None, weight=None, **changes):
    """A file that describes its network: a 1×1 convolution of int8 weights, as `convert` writes it."""
    metadata = {
        "stylemodel.graph": graph, "stylemodel.tool": "stylemodel", "stylemodel.options": "[]",
        "stylemodel.source.name": "net.pth", "stylemodel.source.bytes": "1", "stylemodel.source.sha256": "0" * 64,
    }
    # The names of metadata keys have dots, which those of Python's arguments cannot have.
    for key, text in changes.items():
        metadata["stylemodel." + key.replace("_", ".")] = text
    encoding = {"w": {"bits": 8, "signed": True, "axis": 0, "scale": "w.scale"}}
    if isinstance(encodings, bytes):
        metadata["stylemodel.encodings"] = encodings.decode()
    else:
        metadata["stylemodel.encodings"] = json.dumps(encoding if encodings is None else encodings)
    metadata = {key: text for key, text in metadata.items() if text is not None}
    header = {
        "__metadata__": metadata, "w.scale": tensor(0, 12, [3, 1, 1, 1]), "w": tensor(12, 21, [3, 3, 1, 1], "I8"),
        **(extra or {}),
    }
    return file(header, bytes(12) + (weight or bytes(9)) + bytes(4 if extra else 0))


def descriptions():
    """Networks that do not fit the tensors beside them."""
    def encoding(**changes):
        return {"w": {"bits": 8, "signed": True, "axis": 0, "scale": "w.scale", **changes}}
    return {
        "graph_no_text_form": described("graph {"),
        "graph_of_two": described(GRAPH + GRAPH),
        "graph_names_no_tensor": described(GRAPH.replace('@"w"', '@"v"')),
        "graph_does_not_fit": described(GRAPH.replace("conv(%x", "conv_transpose(%x, groups: 3")),
        "tensor_without_place": described(extra={"v": tensor(21, 25, [1])}),
        "encodings_no_json": described(encodings=b"{"),
        "encoding_of_no_tensor": described(encodings={"v": encoding()["w"], **encoding()}),
        "encoding_of_floats": described(encodings={"w.scale": encoding()["w"]}),
        "encoding_unknown_field": described(encodings=encoding(palette="p")),
        "encoding_of_9_bits": described(encodings=encoding(bits=9)),
        "encoding_too_narrow": described(encodings=encoding(bits=4), weight=bytes([0, 7, 248, 8, 0, 0, 0, 0, 0])),
        "encoding_axis_7": described(encodings=encoding(axis=7)),
        "encoding_per_tensor_of_3_scales": described(encodings={"w": {"bits": 8, "signed": True, "scale": "w.scale"}}),
        "encoding_without_scale": described(encodings=encoding(scale="w.scales")),
        "encoding_scale_is_weight": described(encodings=encoding(scale="w")),
        "source_name_with_folder": described(source_name="../net.pth"),
        "source_length_negative": described(source_bytes="-1"),
        "source_digest_short": described(source_sha256="00"),
        "options_no_list": described(options='{"a": 1}'),
        "tool_missing": described(tool=None),
    }


def main():
    """Writes every file."""
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name, content in (headers() | tensors() | descriptions()).items():
        with open(name + ".safetensors", "wb") as output:
            output.write(content)


if __name__ == "__main__":
    main()
