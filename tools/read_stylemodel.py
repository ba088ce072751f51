#!/usr/bin/env python3
"""Reads a .stylemodel file, from Schemas/stylemodel-format.md and StyleModel.proto alone.

It shares no code with the Swift reader, so that one proves the other and both prove the specification. It needs
numpy and the protobuf package.
"""

import argparse
import hashlib
import pathlib
import re
import struct
import sys
import zlib

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import coded_payload
from coded_payload import BadFile, require

SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "Schemas" / "StyleModel.proto"
MAGIC = b"\x89STYLE\r\n"
ALIGNMENT = 8
# The required features that this program knows: coded payloads, integers wider than 8 bits, styles.
KNOWN_FEATURES = 0b1111
# The names of ElementType; bfloat16, which numpy does not have, is widened by hand.
PLAIN_TYPES = {
    "FLOAT64": "<f8", "FLOAT32": "<f4", "FLOAT16": "<f2", "BFLOAT16": "<u2", "INT64": "<i8", "INT32": "<i4",
    "INT16": "<i2", "INT8": "<i1", "UINT8": "<u1", "BOOL": "<u1",
}


def header_class():
    """The Python class of the message Header, made from the text of the schema."""
    text = re.sub(r"//[^\n]*", "", SCHEMA.read_text(encoding="utf-8"))
    tokens = re.findall(r'"[^"]*"|\w+|[{}=;\[\]]', text)
    file = descriptor_pb2.FileDescriptorProto(name=SCHEMA.name, syntax="proto2")
    package = tokens[tokens.index("package") + 1]
    file.package = package
    field_types = descriptor_pb2.FieldDescriptorProto
    scalars = {
        name: getattr(field_types, "TYPE_" + name.upper())
        for name in ("string", "bytes", "bool", "float", "uint32", "uint64", "sint64", "fixed32")
    }
    enums = {tokens[i + 1] for i, token in enumerate(tokens) if token == "enum"}

    def add_field(message, words, oneof):
        label = words.pop(0) if words[0] in ("optional", "repeated") else "optional"
        kind, name, equals, number = words[:4]
        require(equals == "=", f"the schema says {words}")
        field = message.field.add(name=name, number=int(number))
        field.label = getattr(field_types, "LABEL_" + label.upper())
        if kind in scalars:
            field.type = scalars[kind]
        else:
            field.type = field_types.TYPE_ENUM if kind in enums else field_types.TYPE_MESSAGE
            field.type_name = f".{package}.{kind}"
        if "packed" in words:
            field.options.packed = True
        if oneof is not None:
            field.oneof_index = oneof

    scope, words, oneof = None, [], None
    for token in tokens[tokens.index("message"):]:
        if token == "{":
            kind, name = words
            if kind == "message":
                scope = file.message_type.add(name=name)
            elif kind == "enum":
                scope = file.enum_type.add(name=name)
            else:
                oneof = len(scope.oneof_decl)
                scope.oneof_decl.add(name=name)
            words = []
        elif token == "}":
            oneof = None
        elif token == ";":
            if isinstance(scope, descriptor_pb2.EnumDescriptorProto):
                scope.value.add(name=words[0], number=int(words[2]))
            else:
                add_field(scope, words, oneof)
            words = []
        else:
            words.append(token)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.Header"))


def read(path):
    """The header of a file and its payloads, uncompressed, in the order of the table."""
    data = pathlib.Path(path).read_bytes()
    require(data[:8] == MAGIC, "is not a .stylemodel file")
    require(len(data) >= 28, "ends within its preamble")
    version, features, length, raw_length, checksum = struct.unpack_from("<5I", data, 8)
    require(version == 1, f"is of version {version}")
    require(features & ~KNOWN_FEATURES == 0, f"requires features {features & ~KNOWN_FEATURES:#x}")
    require(28 + length <= len(data), "ends within its header")
    header_bytes = data[28 : 28 + length]
    require(zlib.crc32(data[8:24] + header_bytes) == checksum, "has a damaged header")
    if length != raw_length:
        header_bytes = zlib.decompress(header_bytes)
    require(len(header_bytes) == raw_length, "has a header of another length than announced")
    header = header_class().FromString(header_bytes)
    for bit, is_used in enumerate((
            any(compression(t) == "CODED" for t in header.tensors), any(t.affine.bits > 8 for t in header.tensors),
            header.HasField("styles"), any(t.HasField("palette") for t in header.tensors))):
        require(bool(features >> bit & 1) == is_used, f"requires feature {bit} and does not use it, or the reverse")
    require(len(header.styles.names) in (0, header.styles.count), "does not name each of its styles")
    end = 28 + length
    payloads = []
    for tensor in header.tensors:
        start = -(-end // ALIGNMENT) * ALIGNMENT
        require(not any(data[end:start]), f"{tensor.name}: padding is not zero")
        end = start + tensor.stored_length
        stored = data[start:end]
        require(len(stored) == tensor.stored_length, f"{tensor.name}: the file is cut short")
        require(zlib.crc32(stored) == tensor.crc32, f"{tensor.name}: is damaged")
        if compression(tensor) == "CODED":
            payload = coded_payload.uncoded(tensor, stored)
        else:
            payload = zlib.decompress(stored) if compression(tensor) == "ZLIB" else stored
        require(len(payload) == tensor.raw_length, f"{tensor.name}: has another length than announced")
        payloads.append(payload)
    require(end == len(data), "has bytes after its end")
    return header, payloads


def enumerator(message, field):
    """The name of an enumeration's value."""
    return message.DESCRIPTOR.fields_by_name[field].enum_type.values_by_number[getattr(message, field)].name


def compression(tensor):
    return enumerator(tensor, "compression")


def unpacked(packed, count, width):
    """Unsigned integers, and the bits of each, the least significant first."""
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")[: count * width].reshape(count, width)
    return bits @ (1 << np.arange(width)), bits


def floats(tensor, payload):
    """A tensor's numbers as float32."""
    shape = tuple(tensor.shape)
    count = int(np.prod(shape, dtype=object))
    if tensor.WhichOneof("encoding") == "plain":
        name = enumerator(tensor, "plain")
        numbers = np.frombuffer(payload, PLAIN_TYPES[name])
        if name == "BFLOAT16":
            numbers = (numbers.astype("<u4") << 16).view("<f4")
        elif name == "BOOL":
            numbers = numbers != 0
        return numbers.astype("<f4").reshape(shape)
    if tensor.WhichOneof("encoding") == "palette":
        palette = tensor.palette
        entries = 1 << palette.bits
        tables = np.frombuffer(payload, "<f4", palette.tables * entries).reshape(palette.tables, entries)
        places = unpacked(payload[4 * palette.tables * entries :], count, palette.bits)[0].reshape(shape)
        along = [1] * len(shape)
        if palette.HasField("axis"):
            along[palette.axis] = shape[palette.axis]
        table = np.arange(int(np.prod(along))) * palette.tables // int(np.prod(along))
        return tables[table.reshape(along), places]
    affine = tensor.affine
    channels = shape[affine.axis] if affine.HasField("axis") else 1
    scales = np.frombuffer(payload, "<f4", channels)
    offsets = np.frombuffer(payload, "<f4", channels, 4 * channels) if affine.has_offsets else None
    numbers, bits = unpacked(payload[4 * channels * (2 if affine.has_offsets else 1) :], count, affine.bits)
    if affine.is_signed:
        numbers = np.where(bits[:, -1], numbers - (1 << affine.bits), numbers)
    numbers = numbers.astype(np.float32).reshape(shape)
    along = [1] * len(shape)
    if affine.HasField("axis"):
        along[affine.axis] = channels
    numbers = numbers * scales.reshape(along)
    return numbers if offsets is None else numbers + offsets.reshape(along)


def describe(tensor):
    """A tensor's encoding for people."""
    if tensor.WhichOneof("encoding") == "plain":
        return enumerator(tensor, "plain").lower()
    if tensor.WhichOneof("encoding") == "palette":
        palette = tensor.palette
        spread = f"of {palette.tables} tables (axis {palette.axis})" if palette.HasField("axis") else "per tensor"
        return f"palette{palette.bits} {spread}"
    affine = tensor.affine
    spread = f"per channel (axis {affine.axis})" if affine.HasField("axis") else "per tensor"
    sign, offsets = "int" if affine.is_signed else "uint", " affine" if affine.has_offsets else ""
    return f"{sign}{affine.bits}{offsets} {spread}"


def print_listing(header):
    origin = header.provenance
    print(f"source   {origin.source_name}, {origin.source_length} bytes, sha256 {origin.source_sha256.hex()}")
    print(f"options  {' '.join(origin.options)}")
    print(f"tool     {origin.tool}" + (f", recipe {origin.recipe}" if origin.recipe else ""))
    print(f"graph    {len(header.nodes)} operations on '{header.input_name}'")
    if header.HasField("styles"):
        names = f": {', '.join(header.styles.names)}" if header.styles.names else ""
        print(f"styles   {header.styles.count}, chosen by '{header.styles.input_name}'{names}")
    for tensor in header.tensors:
        lengths = f"{tensor.stored_length} of {tensor.raw_length} bytes"
        print(f"tensor   {tensor.name} {list(tensor.shape)} {describe(tensor)}, {lengths}, {compression(tensor).lower()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--npz", metavar="OUT", help="write every tensor, as float32, into a NumPy archive")
    output.add_argument(
        "--digest", action="store_true", help="print name, shape and SHA-256 of each tensor's float32 bytes")
    arguments = parser.parse_args()
    try:
        header, payloads = read(arguments.file)
        if arguments.npz:
            np.savez(arguments.npz, **{t.name: floats(t, p) for t, p in zip(header.tensors, payloads)})
        elif arguments.digest:
            for tensor, payload in zip(header.tensors, payloads):
                digest = hashlib.sha256(np.ascontiguousarray(floats(tensor, payload)).tobytes()).hexdigest()
                print(tensor.name, list(tensor.shape), digest, sep="\t")
        else:
            print_listing(header)
    except (BadFile, OSError, zlib.error) as error:
        print(f"Error: {arguments.file}: {error}", file=sys.stderr)
        return 65
    return 0


if __name__ == "__main__":
    sys.exit(main())
