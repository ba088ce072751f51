#!/usr/bin/env python3
"""Checks that ONNX Runtime gives the pictures that this program gives, on the ONNX files that it writes.

  tools/check-onnx [MODEL [OPTIONS OF CONVERT…]]

Without a model: the fixtures, and a small network with seeded weights of each family that a recipe knows. Each is
converted to .onnx and to .stylemodel with the same options. onnx.checker must accept the file, ONNX Runtime must run it
at two sizes that the network allows, an odd one if it can be, and its pictures must be those of the .stylemodel: within 90 dB where weights are
floats, within 60 dB where they are integers, both without clamping. The .onnx read back must give the very picture of
the .stylemodel, bit for bit.
"""

import json
import pathlib
import re
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

from seeded_networks import FAMILIES, picture, run

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "Fixtures"
SIZES = [(96, 64), (131, 97)]
SCHEMES = {"--fp32": 90, "--int8": 60}
# One network by every way to say a weight.
ALL_SCHEMES = SCHEMES | {
    "--fp16": 90, "--int8 --affine": 60, "--int8 --per-tensor": 60, "--bits 6": 60, "--bits 4": 60,
    "--bits 3 --affine": 60}
# Files that say no pixels are told theirs.
SOURCES = {
    "mosaic_small_3000.pth": [], "hdf5/layers_keras2.h5": [], "hdf5/layers_keras3.keras": [],
    "hdf5/mosaic_keras2.h5": [], "onnx/decomposed_opset9.onnx": ["--io", "imagenet"],
    "onnx/dynamo_opset18.onnx": ["--io", "imagenet"], "onnx/qdq_int8.onnx": ["--io", "imagenet"],
    "onnx/tiny_opset9.onnx": ["--io", "imagenet"], "coreml/mosaic_small_3000.flex_range.mlmodel": ["--io", "imagenet"],
    "coreml/mosaic_small_3000.q8_linear.mlmodel": ["--io", "imagenet"], "coreml/turi_narrow.mlmodel": ["--style", "1"],
    "mlpackage/small_image_fp16.mlpackage": [], "mlpackage/small_int8_sym_pc.mlpackage": ["--io", "imagenet"]}


def stylized(binary, model, folder):
    run(binary, "stylize", model, folder / "given.npy", "-o", folder / "styled.npy")
    return np.load(folder / "styled.npy")


def allowed_sizes(model):
    """Two sizes that the network's own contract allows: SIZES, unless it names others."""
    contract = next(entry.value for entry in model.metadata_props if entry.key == "stylemodel.contract")
    if listed := re.search(r"sizes: (\[\[.*?\]\])", contract):
        return json.loads(listed[1])[:2]
    ranges = [json.loads(pair) for pair in re.findall(r"(?:widths|heights): (\[.*?\])", contract)]
    if not ranges:
        return SIZES
    return [[min(max(extent, low), high if high > 0 else extent + low) for extent, (low, high) in zip(size, ranges)]
            for size in SIZES]


def check(binary, name, source, options, schemes, folder):
    """Compares one network by several schemes; ends the program where the pictures differ."""
    print(name)
    for scheme, least in schemes.items():
        network = folder / "network.onnx"
        ours = folder / "network.stylemodel"
        for path in (network, ours):
            run(binary, "convert", source, "-o", path, *scheme.split(), *options)
        onnx.checker.check_model(network, full_check=True)
        sizes = allowed_sizes(onnx.load(network))
        session = onnxruntime.InferenceSession(network, providers=["CPUExecutionProvider"])
        figures = []
        for width, height in sizes:
            given = picture(width, height)
            np.save(folder / "given.npy", given)
            expected = stylized(binary, ours, folder)
            if stylized(binary, network, folder).tobytes() != expected.tobytes():
                sys.exit(f"{name} {scheme}: read back, {width}x{height} become another picture")
            feed = {session.get_inputs()[0].name: given.transpose(2, 0, 1)[None]}
            styled = session.run(None, feed)[0][0].transpose(1, 2, 0)
            if styled.shape != expected.shape:
                sys.exit(f"{name} {scheme}: {width}x{height} become {styled.shape}, not {expected.shape}")
            error = np.mean((styled.astype(np.float64) - expected) ** 2)
            figures.append(10 * np.log10(255**2 / max(error, 1e-30)))
        print(f"  {scheme:20} " + "  ".join(f"{figure:6.1f} dB" for figure in figures))
        if not min(figures) >= least:
            sys.exit(f"{name} {scheme}: {min(figures):.1f} dB, less than {least}")


def main():
    binary = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if len(sys.argv) > 2:
            check(binary, sys.argv[2], sys.argv[2], sys.argv[3:], SCHEMES, folder)
            return
        for source, options in SOURCES.items():
            schemes = ALL_SCHEMES if source == "mosaic_small_3000.pth" else SCHEMES
            check(binary, source, FIXTURES / source, options, schemes, folder)
        for family, weights in FAMILIES.items():
            np.savez(folder / "family.npz", **weights())
            check(binary, f"seeded weights, {family}", folder / "family.npz", [], SCHEMES, folder)


if __name__ == "__main__":
    main()
