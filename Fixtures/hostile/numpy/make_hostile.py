#!/usr/bin/env python3
"""Writes the .npz archives of this folder that must be refused, each named for the hole it aims at.

messages.txt holds the message that each must get. Needs nothing but Python 3.
"""

import io
import os
import struct
import zipfile


def npy(descr="'<f4'", fortran="False", shape="(2,)", data=bytes(8), header=None, version=1, length=None):
    """A .npy file whose header says what it is told to."""
    if header is None:
        header = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n"
    header = header.encode()
    size = struct.pack("<H" if version == 1 else "<I", len(header) if length is None else length)
    return b"\x93NUMPY" + bytes([version, 0]) + size + header + data


def npz(**members):
    """An archive of members, one of them sound unless it is replaced."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in {"a": npy(), **members}.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()


def main():
    """Writes every file."""
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    files = {
        "objects": npz(w=npy("'|O'")),
        "structured": npz(w=npy("[('a', '<f4')]")),
        "complex": npz(w=npy("'<c8'")),
        "text": npz(w=npy("'<U7'")),
        "bfloat16_as_void": npz(w=npy("'|V2'", shape="(4,)")),
        "no_array": npz(w=b"hello"),
        "empty_member": npz(w=b""),
        "header_cut_short": npz(w=npy(data=b"", length=400)),
        "header_too_long": npz(w=npy(version=2, length=1 << 31)),
        "version_9": npz(w=npy(version=9)),
        "shape_overflows": npz(w=npy(shape="(1099511627776, 1099511627776)")),
        "shape_negative": npz(w=npy(shape="(-1,)")),
        "shape_missing": npz(w=npy(header="{'descr': '<f4', 'fortran_order': False}")),
        "key_twice": npz(w=npy(header="{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}")),
        "code_in_header": npz(w=npy(header="__import__('os').system('id')")),
        "data_cut_short": npz(w=npy(data=bytes(7))),
        "data_left_over": npz(w=npy(data=bytes(9))),
        "too_large_for_its_data": npz(w=npy(shape="(1000000000000,)")),
    }
    for name, content in files.items():
        with open(name + ".npz", "wb") as file:
            file.write(content)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("w.npy", "w"):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), npy())
    with open("with_and_without_suffix.npz", "wb") as file:
        file.write(buffer.getvalue())


if __name__ == "__main__":
    main()
