#!/usr/bin/env python3
"""Writes turi_narrow.mlmodel: a file that Turi Create 6.4 exported, with an eighth of its channels.

    make_turi_narrow.py turi_3styles.mlmodel turi_narrow.mlmodel

The whole file, three styles trained on style_mosaic.png for a test of the tools, has 6.8 MB. Everything that Turi Create wrote
stays as it is but the widths: of each weight the first channels are kept. Needs coremltools, for its protobuf classes.
"""
import sys

import numpy as np
from coremltools.proto import Model_pb2

SHARE = 8


def narrow(count):
    """The picture's three channels, and the number of styles, stay."""
    return count if count <= 3 else count // SHARE


def keep(params, shape, kept):
    values = np.array(params.floatValue, np.float32).reshape(shape)
    values = values[tuple(slice(0, n) for n in kept)]
    del params.floatValue[:]
    params.floatValue.extend(values.ravel().tolist())


spec = Model_pb2.Model()
spec.ParseFromString(open(sys.argv[1], "rb").read())
for layer in spec.neuralNetwork.layers:
    kind = layer.WhichOneof("layer")
    p = getattr(layer, kind)
    if kind == "convolution":
        kernel = tuple(p.kernelSize)
        shape = (p.outputChannels, p.kernelChannels, *kernel)
        p.outputChannels, p.kernelChannels = narrow(p.outputChannels), narrow(p.kernelChannels)
        keep(p.weights, shape, (p.outputChannels, p.kernelChannels, *kernel))
    elif kind == "batchnorm":
        shape = (p.channels,)
        p.channels = narrow(p.channels)
        for name in ("gamma", "beta", "mean", "variance"):
            if len(getattr(p, name).floatValue):
                keep(getattr(p, name), shape, (p.channels,))
    elif kind == "innerProduct":
        shape = (p.outputChannels, p.inputChannels)
        p.outputChannels = narrow(p.outputChannels)
        keep(p.weights, shape, (p.outputChannels, p.inputChannels))
        if len(p.bias.floatValue):
            keep(p.bias, shape[:1], (p.outputChannels,))
open(sys.argv[2], "wb").write(spec.SerializeToString(deterministic=True))
