"""Networks and pictures that the checks of written files share: one small network with seeded weights of each family that a
recipe knows, a picture of any size, and a call of this program."""

import subprocess
import sys

import numpy as np


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


def picture(width, height):
    """Ramps of colour with edges and noise in them, [H, W, 3], whole numbers of 0 to 255."""
    rows, columns = np.mgrid[:height, :width]
    edges = 60.0 * ((rows // 16 + columns // 16) % 2)
    ramps = np.stack([columns * 190 / width, rows * 190 / height, (rows + columns) / 2 % 190], axis=-1)
    noise = np.random.default_rng(7).normal(0, 12, ramps.shape)
    return np.clip(np.rint(ramps + edges[..., None] + noise), 0, 255).astype(np.float32)
