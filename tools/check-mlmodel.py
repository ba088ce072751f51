#!/usr/bin/env python3
"""Checks that the .mlmodel files this program writes mean to others what they mean here.

  tools/check-coreml [MODEL [OPTIONS OF CONVERT…]]

The fixtures, Core ML's own among them, a small network with seeded weights of each family that a recipe knows, and one of three styles (or the
model that is named) are converted by several schemes. coremltools' own classes must parse each file, its specification's
version must be the lowest that can say it, and run with numpy (coreml_reference.py, which shares no code with this
program) it must give the picture of our runtime on the same weights: to 70 dB, where sizes are fixed and where they are
not. Read back by this program, it must give that picture to 100 dB.
"""

import logging
import pathlib
import sys
import tempfile
import warnings

import numpy as np

from seeded_networks import FAMILIES, picture, run

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

from coremltools.proto import Model_pb2  # noqa: E402  (coremltools warns while it loads)

import coreml_reference  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "Fixtures"
LEAST = 70
LEAST_READ_BACK = 100
SIZES = [(96, 64), (131, 97)]
# The scheme, and the lowest version of the specification that knows its weights.
SCHEMES = {"--fp32": 1, "--int8": 3}
ALL_SCHEMES = SCHEMES | {
    "--fp16": 2, "--int8 --per-tensor": 3, "--bits 7": 3, "--bits 6": 3, "--bits 5": 3, "--bits 4": 3, "--bits 3": 3,
    "--bits 2 --per-tensor": 3, "--palette 1": 3, "--palette 3": 3, "--palette 4": 3, "--palette 8": 3}
# Files that say no pixels are told theirs.
SOURCES = {
    "mosaic_small_3000.pth": [], "hdf5/layers_keras2.h5": [], "hdf5/layers_keras3.keras": [],
    "hdf5/mosaic_keras2.h5": [], "onnx/decomposed_opset9.onnx": ["--io", "imagenet"],
    "onnx/tiny_opset9.onnx": ["--io", "imagenet"]}
STYLES = """
recipe "styles" {
  pixels(unit)
  styles(input: "index", count: 3, names: ["wave", "scream", "night"])
  input %x
  %x = conv(%x, weight: @"a.weight", padding: half(@"a.weight"), padding_mode: reflect, stride: 2)
  %x = conditional_instance_norm(%x, gamma: @"a.gamma", beta: @"a.beta", epsilon: 1e-5)
  %x = relu(%x)
  %x = upsample(%x, factor: 2, mode: nearest)
  %x = conv(%x, weight: @"b.weight", padding: half(@"b.weight"), padding_mode: reflect)
  %x = conditional_instance_norm(%x, gamma: @"b.gamma", beta: @"b.beta", epsilon: 1e-5)
  %x = sigmoid(%x)
  output %x
}
"""


def read(path):
    """The file as coremltools' classes parse it."""
    model = Model_pb2.Model()
    model.ParseFromString(pathlib.Path(path).read_bytes())
    return model


def psnr(one, other):
    error = np.mean((np.clip(one, 0, 255).astype(np.float64) - np.clip(other, 0, 255)) ** 2)
    return 10 * np.log10(255**2 / max(error, 1e-30))


def compared(binary, source, options, scheme, folder, size=None, style=None):
    """The version of the file, and how far its picture is from ours, in dB."""
    model, ours = folder / "network.mlmodel", folder / "network.stylemodel"
    choice = [] if style is None else ["--blend", ",".join(f"{k}:{w}" for k, w in enumerate(style))]
    sizes = ["--size-range", "64x64:"] if size is None else ["--size", f"{size[0]}x{size[1]}"]
    affine = ["--affine"] if "int" in scheme or "bits" in scheme else []
    run(binary, "convert", source, "-o", model, *scheme.split(), *options, *sizes)
    run(binary, "convert", source, "-o", ours, *scheme.split(), *affine, *options, *sizes)
    parsed = read(model)
    figures = []
    for width, height in [size] if size else SIZES:
        given = picture(width, height)
        np.save(folder / "given.npy", given)
        run(binary, "stylize", ours, folder / "given.npy", "-o", folder / "styled.npy", *choice)
        expected = np.load(folder / "styled.npy")
        found = coreml_reference.run(parsed, given, style)
        if found.shape != expected.shape:
            sys.exit(f"{source} {scheme}: the .mlmodel makes {found.shape} of {width}x{height}, we make {expected.shape}")
        run(binary, "stylize", model, folder / "given.npy", "-o", folder / "back.npy", *choice)
        back = psnr(np.load(folder / "back.npy"), expected)
        if not back >= LEAST_READ_BACK:
            sys.exit(f"{source} {scheme}: read back, the .mlmodel gives the picture at {back:.1f} dB")
        figures.append(psnr(found, expected))
    return parsed, figures


def check(binary, name, source, options, schemes, folder, style=None):
    """Ends the program where the reference disagrees."""
    print(name)
    for scheme, least_version in schemes.items():
        # A network that clips or enlarges bilinearly needs a later system than its weights do.
        flexible, figures = compared(binary, source, options, scheme, folder, style=style)
        fixed, more = compared(binary, source, options, scheme, folder, size=SIZES[0], style=style)
        kinds = {layer.WhichOneof("layer") for layer in fixed.neuralNetwork.layers}
        bilinear = any(layer.upsample.mode == 1 for layer in fixed.neuralNetwork.layers)
        wanted = max(least_version, 4 if "clip" in kinds else 1, 5 if bilinear else 1)
        if (fixed.specificationVersion, flexible.specificationVersion) != (wanted, max(wanted, 3)):
            sys.exit(f"{name} {scheme}: specification {fixed.specificationVersion} where {wanted} can say it")
        print(f"  {scheme:22} specification {fixed.specificationVersion}; "
              + "  ".join(f"{figure:6.1f} dB" for figure in figures + more))
        if not min(figures + more) >= LEAST:
            sys.exit(f"{name} {scheme}: less than {LEAST} dB")


def three_styles(folder):
    """A network of three styles, as seeded tensors and the recipe that they belong to."""
    random = np.random.default_rng(5)
    tensors = {
        "a.weight": random.normal(0, 0.2, (8, 3, 3, 3)), "b.weight": random.normal(0, 0.2, (3, 8, 3, 3)),
        "a.gamma": random.normal(1, 0.3, (3, 8)), "a.beta": random.normal(0, 0.3, (3, 8)),
        "b.gamma": random.normal(1, 0.3, (3, 3)), "b.beta": random.normal(0, 0.5, (3, 3))}
    np.savez(folder / "styles.npz", **{name: tensor.astype(np.float32) for name, tensor in tensors.items()})
    (folder / "styles.recipe").write_text(STYLES)
    return folder / "styles.npz", ["--arch", folder / "styles.recipe"]


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
        for source in sorted((FIXTURES / "coreml").glob("*.mlmodel")):
            if "emptylut" not in source.name:
                description = read(source).description
                vector = [f for f in description.input if f.type.WhichOneof("Type") == "multiArrayType"]
                is_picture = description.output[0].type.WhichOneof("Type") == "imageType"
                style = [0.75, 0.25] + [0] * (vector[0].type.multiArrayType.shape[0] - 2) if vector else None
                options = [] if is_picture else ["--io", "imagenet"]
                check(binary, source.name, source, options, SCHEMES, folder, style=style)
        source, options = three_styles(folder)
        for style in ([0, 1, 0], [0.5, 0, 0.5]):
            check(binary, f"three styles, {style}", source, options, SCHEMES, folder, style=style)


if __name__ == "__main__":
    main()
