#!/usr/bin/env python3
"""Writes all_types.safetensors with the reference implementation: a tensor of every type that a state dict can hold.

Needs NumPy and safetensors 0.8.
"""

import os

import numpy
import safetensors

FLOATS = [-1.5, 0.0, 0.25, 3.0, 65504.0, float("inf")]


def tensor(dtype, array, shape=None):
    """A tensor as the writer takes it: the name of a type, extents, and where the numbers are in memory."""
    extents = list(array.shape if shape is None else shape)
    return array, safetensors.TensorSpec(
        dtype=dtype, shape=extents, data_ptr=array.ctypes.data, data_len=array.nbytes)


def main():
    """Writes the file beside this script."""
    floats = numpy.array(FLOATS, "<f4")
    integers = [-2, -1, 0, 1, 100, 127]
    # The upper halves of floats; all of these numbers fit.
    bfloat16 = (floats.view("<u4") >> 16).astype("<u2")
    tensors = {
        "f64": tensor("float64", floats.astype("<f8").reshape(2, 3)),
        "f32": tensor("float32", floats.reshape(2, 3)),
        "f16": tensor("float16", floats.astype("<f2").reshape(2, 3)),
        "bf16": tensor("bfloat16", bfloat16.reshape(2, 3)),
        "i64": tensor("int64", numpy.array(integers, "<i8")),
        "i32": tensor("int32", numpy.array(integers, "<i4")),
        "i16": tensor("int16", numpy.array(integers, "<i2")),
        "i8": tensor("int8", numpy.array(integers, "i1")),
        "u8": tensor("uint8", numpy.array([0, 1, 2, 200, 254, 255], "u1")),
        "bool": tensor("bool", numpy.array([True, False, True])),
        "scalar": tensor("float32", numpy.array([2.5], "<f4"), []),
        "empty": tensor("float32", numpy.array([], "<f4"), [0, 4]),
        "sp\u00e9ci\u00e4l \"name\"": tensor("float32", numpy.array([1.0], "<f4")),
    }
    metadata = {"format": "np", "note": "written by the reference implementation"}
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "all_types.safetensors"), "wb") as file:
        # The arrays stay in `tensors` while their memory is read.
        file.write(safetensors.serialize({name: spec for name, (_, spec) in tensors.items()}, metadata))


if __name__ == "__main__":
    main()
