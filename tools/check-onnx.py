#!/usr/bin/env python3
"""Checks that ONNX Runtime gives the pictures that this program gives, on the ONNX files that it writes.

  tools/check-onnx [MODEL [OPTIONS OF CONVERT…]]

Without a model: the fixtures, and a small network with seeded weights of each family that a recipe knows. Each is
converted to .onnx and to .stylemodel with the same options. onnx.checker must accept the file, ONNX Runtime must run it
at two sizes, an odd one among them, and its pictures must be those of the .stylemodel: within 90 dB where weights are
floats, within 60 dB where they are integers, both without clamping. The .onnx read back must give the very picture of
the .stylemodel, bit for bit.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

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
    "onnx/tiny_opset9.onnx": ["--io", "imagenet"]}


class Weights(dict):
    """A state dict with seeded weights of few channels."""

    def __init__(self, seed):
        super().__init__()
        self.random = np.random.default_rng(seed)

    def conv(self, name, outputs, inputs, size, bias=".bias", weight=".weight", gain=1.0):
        spread = gain / np.sqrt(inputs * size * size)
        self[name + weight] = self.random.normal(0, spread, (outputs, inputs, size, size)).astype(np.float32)
        if bias:
            self[name + bias] = self.random.normal(0, 0.1, outputs).astype(np.float32)

    def norm(self, name, channels, gamma=".weight", beta=".bias"):
        self[name + gamma] = self.random.normal(1, 0.2, channels).astype(np.float32)
        self[name + beta] = self.random.normal(0, 0.3, channels).astype(np.float32)

    def bottleneck(self, name, outputs, inputs, size=3):
        self.conv(name + ".conv1", inputs, inputs, 1, bias=None)
        self.norm(name + ".in1", inputs)
        self.conv(name + ".conv2", inputs, 1, size, bias=None)
        self.norm(name + ".in2", inputs)
        self.conv(name + ".conv3", outputs, inputs, 1, bias=None)
        self.norm(name + ".in3", outputs)


def pytorch_examples():
    weights = Weights(1)
    for index, (outputs, inputs, size) in enumerate([(4, 3, 9), (8, 4, 3), (12, 8, 3)], 1):
        weights.conv(f"conv{index}.conv2d", outputs, inputs, size)
        weights.norm(f"in{index}", outputs)
    for half in (1, 2):
        weights.conv(f"res1.conv{half}.conv2d", 12, 12, 3)
        weights.norm(f"res1.in{half}", 12)
    for index, (outputs, inputs) in enumerate([(8, 12), (4, 8)], 1):
        weights.conv(f"deconv{index}.conv2d", outputs, inputs, 3)
        weights.norm(f"in{index + 3}", outputs)
    weights.conv("deconv3.conv2d", 3, 4, 9, gain=60)
    weights["deconv3.conv2d.bias"] += 128
    return weights


def rrmina(is_resnext):
    weights = Weights(2)
    for index, (outputs, inputs, size) in zip([0, 2, 4], [(4, 3, 9), (8, 4, 3), (12, 8, 3)]):
        weights.conv(f"ConvBlock.{index}.conv_layer", outputs, inputs, size)
        weights.norm(f"ConvBlock.{index}.norm_layer", outputs)
    parts = [("conv1", 6, 12, 1), ("conv2", 6, 6, 3), ("conv3", 12, 6, 1)]
    for part, outputs, inputs, size in parts if is_resnext else [("conv1", 12, 12, 3), ("conv2", 12, 12, 3)]:
        weights.conv(f"ResidualBlock.0.{part}.conv_layer", outputs, inputs, size)
        weights.norm(f"ResidualBlock.0.{part}.norm_layer", outputs)
    for index, (inputs, outputs) in zip([0, 2], [(12, 8), (8, 4)]):
        # Of a transposed convolution the inputs come first.
        weights.conv(f"DeconvBlock.{index}.conv_transpose", inputs, outputs, 3, bias=None)
        weights[f"DeconvBlock.{index}.conv_transpose.bias"] = weights.random.normal(0, 0.1, outputs).astype(np.float32)
        weights.norm(f"DeconvBlock.{index}.norm_layer", outputs)
    weights.conv("DeconvBlock.4.conv_layer", 3, 4, 9, gain=60)
    weights["DeconvBlock.4.conv_layer.bias"] += 128
    return weights


def mmalotin():
    weights = Weights(3)
    weights.conv("conv1", 4, 3, 9, bias=None)
    weights.norm("in1", 4)
    for name, outputs, inputs in [("conv2", 8, 4), ("conv3", 12, 8), ("res1", 12, 12), ("res2", 12, 12),
                                  ("upconv1.conv1", 8, 12), ("upconv2.conv1", 4, 8)]:
        weights.bottleneck(name, outputs, inputs)
    weights.conv("conv4", 3, 4, 9, bias=None, gain=60)
    return weights


def ternerss():
    weights = Weights(4)
    weights.conv("model.0", 4, 3, 7, bias=None)
    weights.norm("model.1", 4)
    for name, outputs, inputs in [("model.3", 8, 4), ("model.4", 12, 8), ("model.5", 12, 12), ("model.6", 12, 12),
                                  ("model.7.conv1", 8, 12), ("model.8.conv1", 4, 8)]:
        weights.bottleneck(name, outputs, inputs)
    weights.conv("model.9", 3, 4, 7, bias=None)
    return weights


def titu1994():
    weights = Weights(5)

    def layer(name, norm, outputs, inputs, size, gain=1.0):
        weights.conv(name, outputs, inputs, size, bias="_b", weight="_W", gain=gain)
        if norm:
            weights.norm(norm, outputs, gamma="_gamma", beta="_beta")

    layer("conv1", "batchnorm1", 4, 3, 9)
    layer("conv2", "batchnorm2", 8, 4, 3)
    layer("conv3", "batchnorm3", 12, 8, 3)
    for half in (1, 2):
        layer(f"res_conv_1_{half}", f"res_batchnorm_1_{half}", 12, 12, 3)
    layer("deconv3", "batchnorm4", 8, 12, 3)
    layer("deconv2", "batchnorm5", 4, 8, 3)
    layer("deconv1", None, 3, 4, 9)
    return weights


FAMILIES = {
    "pytorch-examples": pytorch_examples, "rrmina": lambda: rrmina(False), "rrmina-resnext": lambda: rrmina(True),
    "mmalotin": mmalotin, "ternerss": ternerss, "titu1994": titu1994}


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{result.stdout}{result.stderr}")


def stylized(binary, model, folder):
    run(binary, "stylize", model, folder / "given.npy", "-o", folder / "styled.npy")
    return np.load(folder / "styled.npy")


def picture(width, height):
    """Ramps of colour with edges and noise in them, [H, W, 3], whole numbers of 0 to 255."""
    rows, columns = np.mgrid[:height, :width]
    edges = 60.0 * ((rows // 16 + columns // 16) % 2)
    ramps = np.stack([columns * 190 / width, rows * 190 / height, (rows + columns) / 2 % 190], axis=-1)
    noise = np.random.default_rng(7).normal(0, 12, ramps.shape)
    return np.clip(np.rint(ramps + edges[..., None] + noise), 0, 255).astype(np.float32)


def check(binary, name, source, options, schemes, folder):
    """Compares one network by several schemes; ends the program where the pictures differ."""
    print(name)
    for scheme, least in schemes.items():
        network = folder / "network.onnx"
        ours = folder / "network.stylemodel"
        for path in (network, ours):
            run(binary, "convert", source, "-o", path, *scheme.split(), *options)
        onnx.checker.check_model(network, full_check=True)
        session = onnxruntime.InferenceSession(network, providers=["CPUExecutionProvider"])
        figures = []
        for width, height in SIZES:
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
