#!/usr/bin/env python3
"""Writes NAME.npy beside each NAME.mlmodel here: what the model makes of a picture drawn below, as an independent runner has it.

    make_references.py coreml_reference.py

The runner is tools/coreml_reference.py, plain numpy over coremltools' protobuf classes. The pictures are [H, W, 3] RGB in pixel
units, neither clamped nor rounded; an array that comes out is stored as it is.
"""
import glob, importlib.util, os, sys

import numpy as np
from coremltools.proto import Model_pb2

here = os.path.dirname(os.path.abspath(__file__))
description = importlib.util.spec_from_file_location("reference", sys.argv[1])
reference = importlib.util.module_from_spec(description)
description.loader.exec_module(reference)


def drawn(width, height):
    """The picture that CoreMLFixtureTests.swift draws too."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    return ((x * 5 + y * 3 + c * 60 + x * y // 16) % 256).astype(np.float32)


for path in sorted(glob.glob(here + "/*.mlmodel")):
    name = os.path.basename(path)[: -len(".mlmodel")]
    if name.endswith("emptylut"):
        continue
    spec = Model_pb2.Model()
    spec.ParseFromString(open(path, "rb").read())
    index = [0, 0.25, 0.75] if name.startswith("turi") else None
    size = (64, 64) if name.startswith("turi") else (64, 96)
    np.save(f"{here}/{name}.npy", np.ascontiguousarray(reference.run(spec, drawn(*size), index), np.float32))
