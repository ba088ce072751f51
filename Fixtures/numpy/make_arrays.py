#!/usr/bin/env python3
"""Writes arrays/ (one .npy of every kind that weights come in), and the same deflated in arrays.npz, and stored
under names without .npy in arrays_without_suffix.npz.

Needs NumPy.
"""

import io
import os
import zipfile

import numpy

# Times of day would make every run another file.
EPOCH = (1980, 1, 1, 0, 0, 0)


def arrays():
    """Names and arrays; the numbers of the three-dimensional ones count from 0 in C order."""
    counting = numpy.arange(24, dtype="<f4").reshape(2, 3, 4)
    return {
        "f4": counting,
        "f4_fortran": numpy.asfortranarray(counting),
        "f4_big_endian": counting.astype(">f4"),
        "f8_big_endian_fortran": numpy.asfortranarray(counting.astype(">f8")),
        "f8": counting.astype("<f8"),
        "f2": counting.astype("<f2"),
        "i8": counting.astype("<i8"),
        "i4": counting.astype("<i4"),
        "i2_big_endian": counting.astype(">i2"),
        "i1": counting.astype("i1"),
        "u1": counting.astype("u1"),
        "b1": numpy.array([True, False, True]),
        "scalar": numpy.array(2.5, "<f4"),
        "empty": numpy.zeros((0, 4), "<f4"),
    }


def npy(array):
    """The bytes of a .npy file."""
    buffer = io.BytesIO()
    numpy.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def write_npz(path, suffix, compression):
    """An archive as numpy.savez writes it, but for the times."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays().items():
            archive.writestr(zipfile.ZipInfo(name + suffix, EPOCH), npy(array), compression)


def main():
    """Writes everything beside this script."""
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    os.makedirs("arrays", exist_ok=True)
    for name, array in arrays().items():
        with open(f"arrays/{name}.npy", "wb") as file:
            file.write(npy(array))
    write_npz("arrays.npz", ".npy", zipfile.ZIP_DEFLATED)
    write_npz("arrays_without_suffix.npz", "", zipfile.ZIP_STORED)


if __name__ == "__main__":
    main()
