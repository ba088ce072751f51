#!/usr/bin/env python3
"""Checks with coremltools' own reader the Core ML packages that this program writes, and how it reads coremltools' own.

  tools/check-coreml [MODEL [OPTIONS OF CONVERT…]]

Written: the fixtures, and a small network with seeded weights of each family that a recipe knows (or the model that is
named), by several schemes. coremltools must load each package on this system. The weights that it decodes must be those
of the .safetensors of the same conversion, and what this program reads back from the package must be coremltools'
values bit for bit. Then the program that coremltools read is run with numpy (mil_interpreter.py): before its rounding the
picture must be ours to 90 dB where weights are floats and to 70 dB where they are integers, and as bytes to 70 dB.

Read: each package in Fixtures/mlpackage, which coremltools wrote; the weights must be those that coremltools decodes.
"""

import logging
import pathlib
import re
import sys
import tempfile
import warnings

import numpy as np

from seeded_networks import FAMILIES, picture, run

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import coremltools  # noqa: E402  (it warns while it loads)
from coremltools.converters.mil.frontend.milproto.load import load  # noqa: E402
from PIL import Image  # noqa: E402
from safetensors import safe_open  # noqa: E402

import mil_interpreter  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "Fixtures"
SIZES = [(96, 64), (131, 97)]
BGR = coremltools.proto.FeatureTypes_pb2.ImageFeatureType.BGR
SCHEMES = {"--fp32": 90, "--int8": 70}
# One network by every way to say a weight.
ALL_SCHEMES = SCHEMES | {
    "--fp16": 90, "--int8 --affine": 70, "--int8 --per-tensor": 70, "--bits 7": 70, "--bits 6": 70, "--bits 5": 70,
    "--bits 4": 70, "--bits 4 --affine": 70, "--bits 3 --affine": 70, "--bits 2 --per-tensor": 70,
    "--palette 1": 70, "--palette 2": 70, "--palette 3": 70, "--palette 4": 70, "--palette 5": 70, "--palette 8": 70,
    "--palette 4 --group-size 2": 70}
# Files that say no pixels are told theirs.
SOURCES = {
    "mosaic_small_3000.pth": [], "hdf5/layers_keras2.h5": [], "hdf5/layers_keras3.keras": [],
    "hdf5/mosaic_keras2.h5": [], "onnx/decomposed_opset9.onnx": ["--io", "imagenet"],
    "onnx/tiny_opset9.onnx": ["--io", "imagenet"], "mlpackage/small_image_fp16.mlpackage": []}


def read_package(path):
    """The program as coremltools reads it, and the specification that it stands in."""
    model = coremltools.models.MLModel(str(path), skip_model_load=True)
    specification = model.get_spec()
    return load(specification, specification.specificationVersion, model.weights_dir), specification


def picture_sizes(specification):
    """The sizes to try, width first: those that are listed, or the usual ones where there is a range."""
    image = specification.description.input[0].type.imageType
    if image.WhichOneof("SizeFlexibility") == "imageSizeRange":
        return SIZES
    listed = [(size.width, size.height) for size in image.enumeratedSizes.sizes]
    return listed or [(image.width, image.height)]


def predicted(program, specification, given):
    """What a package makes of [H, W, 3] RGB: its output, and that before rounding, both RGB as Core ML hands them over."""
    step = -1 if specification.description.input[0].type.imageType.colorSpace == BGR else 1
    return [result[..., ::step] for result in mil_interpreter.run(program, given[..., ::step])]


def decoded_weights(program):
    """The floats of every weight that an operation uses, by name."""
    weights = {}
    for operation in program.functions["main"].operations:
        if operation.op_type not in ("conv", "conv_transpose", "instance_norm", "batch_norm"):
            continue
        for role in ("weight", "bias", "gamma", "beta", "mean", "variance"):
            variable = operation.inputs.get(role)
            if variable is not None:
                weights[variable.name] = np.asarray(mil_interpreter.value(variable), np.float32)
    return weights


def safetensors_weights(path):
    """The floats of every weight of a safetensors file, integers with their scales and offsets put in."""
    with safe_open(path, framework="np") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    weights = {}
    for name, tensor in tensors.items():
        if re.search(r"\.(scale|offset)$", name) and re.sub(r"\.\w+$", "", name) in tensors:
            continue
        if name + ".scale" in tensors:
            tensor = tensor.astype(np.float32) * tensors[name + ".scale"]
            if name + ".offset" in tensors:
                tensor = tensor + tensors[name + ".offset"]
        weights[name] = tensor.astype(np.float32)
    return weights


def compare_weights(name, scheme, theirs, ours):
    """Offsets become zero points, which the format subtracts before it multiplies; all else is the same bit for bit."""
    ours = {re.sub(r"[^A-Za-z0-9_]", "_", key): weight for key, weight in ours.items()}
    missing = [key for key in theirs if key not in ours]
    if missing:
        sys.exit(f"{name} {scheme}: coremltools knows weights {missing[:4]}, the .safetensors does not")
    for key, weight in theirs.items():
        if "--affine" in scheme:
            same = np.abs(weight - ours[key]).max() <= 2e-6 * max(np.abs(ours[key]).max(), 1e-30)
        else:
            same = weight.tobytes() == ours[key].tobytes()
        if not same:
            sys.exit(f"{name} {scheme}: coremltools decodes other values of weight {key}")
    return len(theirs)


def psnr(one, other):
    error = np.mean((one.astype(np.float64) - other) ** 2)
    return 10 * np.log10(255**2 / error) if error > 0 else np.inf


def check_written(binary, name, source, options, schemes, folder):
    """Writes one network by several schemes; ends the program where coremltools disagrees."""
    print(name)
    for scheme, least in schemes.items():
        package, tensors, back = (folder / f"network.{end}" for end in ("mlpackage", "safetensors", "back.safetensors"))
        run(binary, "convert", source, "-o", package, *scheme.split(), *options)
        if "--palette" in scheme:
            # Safetensors have no palettes; the floats that they stand for go there by way of our own format.
            middle = folder / "network.stylemodel"
            run(binary, "convert", source, "-o", middle, *scheme.split(), *options)
            run(binary, "convert", middle, "-o", tensors, "--fp32")
        else:
            run(binary, "convert", source, "-o", tensors, *scheme.split(), *options)
        run(binary, "convert", package, "-o", back, "--fp32")
        program, specification = read_package(package)
        theirs = decoded_weights(program)
        count = compare_weights(name, scheme, theirs, safetensors_weights(tensors))
        for key, weight in safetensors_weights(back).items():
            if key in theirs and weight.tobytes() != theirs[key].tobytes():
                sys.exit(f"{name} {scheme}: read back, weight {key} differs from what coremltools decodes")
        figures = []
        for width, height in picture_sizes(specification):
            given = picture(width, height)
            np.save(folder / "given.npy", given)
            for output in ("styled.npy", "styled.png"):
                run(binary, "stylize", package, folder / "given.npy", "-o", folder / output)
            expected = np.clip(np.load(folder / "styled.npy"), 0, 255)
            rounded, exact = predicted(program, specification, given)
            # Strides may make the program's picture a few pixels larger; ours is cut to the size of the input.
            rounded, exact = (p[: expected.shape[0], : expected.shape[1]] for p in (rounded, exact))
            bytes_ = np.asarray(Image.open(folder / "styled.png"), np.float64)
            figures.append((psnr(exact, expected), psnr(rounded, bytes_)))
        print(f"  {scheme:22} specification {specification.specificationVersion}, {count} weights; "
              + "  ".join(f"{exact:6.1f} dB, {rounded:6.1f} as bytes" for exact, rounded in figures))
        if not min(exact for exact, _ in figures) >= least or not min(rounded for _, rounded in figures) >= 70:
            sys.exit(f"{name} {scheme}: {figures}: less than {least} dB, or than 70 as bytes")


def check_read(binary, package, folder):
    """Compares what this program and coremltools decode from a package of coremltools' own."""
    back = folder / "back.safetensors"
    run(binary, "convert", package, "-o", back, "--fp32", *(["--io", "imagenet"] if "image" not in package.name else []))
    program, specification = read_package(package)
    theirs = decoded_weights(program)
    ours = safetensors_weights(back)
    shared = [key for key in theirs if key in ours]
    if not any(theirs[key].ndim == 4 for key in shared):
        sys.exit(f"{package.name}: no weight of a convolution goes by coremltools' name for it")
    for key in shared:
        # Core ML rounds the products of half-precision scales to halves; we keep the integers and the scales.
        limit = np.abs(theirs[key]) * 2.0**-11 + 2.0**-25 if "int8" in package.name or "int4" in package.name else 0
        if theirs[key].shape != ours[key].shape or not (np.abs(theirs[key] - ours[key]) <= limit).all():
            sys.exit(f"{package.name}: weight {key} differs from what coremltools decodes")
    print(f"{package.name}: specification {specification.specificationVersion}, {len(shared)} weights as coremltools decodes them")


def main():
    binary = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if len(sys.argv) > 2:
            check_written(binary, sys.argv[2], sys.argv[2], sys.argv[3:], SCHEMES, folder)
            return
        for package in sorted((FIXTURES / "mlpackage").glob("*.mlpackage")):
            check_read(binary, package, folder)
        for source, options in SOURCES.items():
            schemes = ALL_SCHEMES if source == "mosaic_small_3000.pth" else SCHEMES
            check_written(binary, source, FIXTURES / source, options, schemes, folder)
        for family, weights in FAMILIES.items():
            np.savez(folder / "family.npz", **weights())
            check_written(binary, f"seeded weights, {family}", folder / "family.npz", [], SCHEMES, folder)


if __name__ == "__main__":
    main()
