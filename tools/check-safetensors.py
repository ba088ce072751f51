#!/usr/bin/env python3
"""Checks that what `convert` writes as safetensors loads in the reference package, and says what the .stylemodel says.

  tools/check-safetensors.py [BINARY]

Converts a fixture by several schemes into both formats. The reference package reads one, tools/read_stylemodel.py the
other, and NAME * NAME.scale + NAME.offset must be the same floats, bit for bit. Needs the packages of
tools/requirements.txt.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from safetensors import safe_open

import read_stylemodel

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "Fixtures" / "mosaic_small_3000.pth"
SCHEMES = [["--fp32"], ["--fp16"], ["--int8"], ["--bits", "4", "--affine"], ["--bits", "3", "--per-tensor"]]


def read_safetensors(path):
    """The weights of a file as float32, by name, and its metadata."""
    with safe_open(path, framework="np") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    encodings = json.loads(metadata.get("stylemodel.encodings", "{}"))
    weights = {}
    for name, encoding in encodings.items():
        weight = tensors.pop(name).astype(np.float32) * tensors.pop(encoding["scale"])
        weights[name] = weight + tensors.pop(encoding["offset"]) if "offset" in encoding else weight
    return weights | {name: tensor.astype(np.float32) for name, tensor in tensors.items()}, metadata


def check(binary, scheme, folder):
    """Compares both formats of one scheme; gives the number of tensors."""
    paths = [folder / f"network.{suffix}" for suffix in ("safetensors", "stylemodel")]
    for path in paths:
        subprocess.run([binary, "convert", SOURCE, "-o", path, *scheme], check=True, stdout=subprocess.DEVNULL)
    weights, metadata = read_safetensors(paths[0])
    header, payloads = read_stylemodel.read(paths[1])
    expected = {
        tensor.name: read_stylemodel.floats(tensor, payload) for tensor, payload in zip(header.tensors, payloads)}
    if weights.keys() != expected.keys():
        sys.exit(f"{scheme}: the two files hold tensors of other names: {weights.keys() ^ expected.keys()}")
    for name, weight in weights.items():
        if weight.shape != expected[name].shape or weight.tobytes() != expected[name].tobytes():
            sys.exit(f"{scheme}: tensor {name} differs")
    if metadata["format"] != "pt" or json.loads(metadata["stylemodel.options"]) != scheme:
        sys.exit(f"{scheme}: the metadata do not say how the file was made: {metadata}")
    return len(weights)


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build" / "release" / "stylemodel"
    with tempfile.TemporaryDirectory() as folder:
        for scheme in SCHEMES:
            count = check(binary, scheme, pathlib.Path(folder))
            print(f"{' '.join(scheme)}: {count} tensors, the same in safetensors' own reader")


if __name__ == "__main__":
    main()
