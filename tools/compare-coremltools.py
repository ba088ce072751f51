#!/usr/bin/env python3
"""Quantizes one network with coremltools and with this program, and prints bytes and PSNR side by side.

    tools/compare-coremltools [MODEL]

The network is written as float .mlmodel and .mlpackage by this program; coremltools quantizes those files, this program
the source. All are judged by `eval` against the source on the built-in evaluation set. Required, and the script fails
otherwise: palettes of 4 bits, calibrated, take at most 0.5 % more bytes and are at least 5 dB better on the worst
photograph and on the worst picture; 8 bits take at most 0.5 % more bytes and are at least 3 dB better. The bytes are those
of norms: coremltools stores their scales and biases in 8 bits too, which costs its files the most decibels of all.
"""

import contextlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import coremltools  # noqa: E402  (it warns while it loads)
from coremltools.models.neural_network import quantization_utils  # noqa: E402
from coremltools.optimize import coreml as optimize  # noqa: E402

# Its tables are columns of one number each, of which newer releases of protobuf make errors and some an empty list.
find_table = quantization_utils._get_kmeans_lookup_table_and_weight
quantization_utils._get_kmeans_lookup_table_and_weight = lambda *words, **options: tuple(
    part.flatten() if index == 0 else part for index, part in enumerate(find_table(*words, **options)))

PHOTOGRAPHS = {"astronaut", "coffee", "chelsea"}
SIZE = "256x256"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def byte_count(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


def judged(binary, path, source):
    """The bytes of a file, and the PSNR of the worst photograph and of the worst picture."""
    report = json.loads(run(binary, "eval", path, "--against", source, "--json"))
    psnr = {picture["name"]: picture["psnr_db"] for picture in report["models"][0]["pictures"]}
    return byte_count(path), min(psnr[name] for name in PHOTOGRAPHS), min(psnr.values())


def quantized_mlmodel(folder, name, bits, mode):
    model = coremltools.models.MLModel(f"{folder}/float.mlmodel", skip_model_load=True)
    with contextlib.redirect_stdout(sys.stderr):
        result = quantization_utils.quantize_weights(model, bits, quantization_mode=mode)
    specification = result if not hasattr(result, "get_spec") else result.get_spec()
    coremltools.models.utils.save_spec(specification, f"{folder}/{name}.mlmodel")
    return f"{folder}/{name}.mlmodel"


def quantized_mlpackage(folder, name, compress):
    model = coremltools.models.MLModel(f"{folder}/float.mlpackage", skip_model_load=True)
    compress(model).save(f"{folder}/{name}.mlpackage")
    return f"{folder}/{name}.mlpackage"


def palettized(bits):
    options = optimize.OpPalettizerConfig(mode="kmeans", nbits=bits)
    return lambda model: optimize.palettize_weights(model, optimize.OptimizationConfig(global_config=options))


def linear(model):
    options = optimize.OpLinearQuantizerConfig(mode="linear_symmetric")
    return optimize.linear_quantize_weights(model, optimize.OptimizationConfig(global_config=options))


def main():
    binary, source = sys.argv[1:]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("mlmodel", "mlpackage"):
            run(binary, "convert", source, "--fp32", "-o", f"{folder}/float.{kind}", "--size", SIZE)

        def ours(kind, *options):
            path = f"{folder}/ours.{kind}"
            run(binary, "convert", source, *options, "-o", path, "--size", SIZE)
            return path

        comparisons = [
            (".mlmodel, 4-bit palette", quantized_mlmodel(folder, "kmeans4", 4, "kmeans_lut"),
             ("mlmodel", "--palette", "4", "--calibrate"), 1.005, 5),
            (".mlpackage, 4-bit palette", quantized_mlpackage(folder, "kmeans4", palettized(4)),
             ("mlpackage", "--palette", "4", "--calibrate"), 1.005, 5),
            (".mlmodel, 8 bits linear", quantized_mlmodel(folder, "linear8", 8, "linear"),
             ("mlmodel", "--int8", "--calibrate"), 1.005, 3),
            (".mlpackage, 8 bits linear", quantized_mlpackage(folder, "linear8", linear),
             ("mlpackage", "--int8", "--calibrate"), 1.005, 3),
        ]
        print(f"{'':28}{'bytes':>11}  {'worst photograph':>16}  {'worst picture':>13}")
        for name, theirs, options, share, gain in comparisons:
            peer = judged(binary, theirs, source)
            own = judged(binary, ours(*options), source)
            for who, (size, photograph, worst) in (("coremltools", peer), ("stylemodel --calibrate", own)):
                print(f"{name if who == 'coremltools' else '':28}{size:11,}  {photograph:13.2f} dB  {worst:10.2f} dB  {who}")
            if own[0] > peer[0] * share:
                failures.append(f"{name}: {own[0]} bytes where coremltools has {peer[0]}")
            if own[1] < peer[1] + gain or own[2] < peer[2] + gain:
                failures.append(f"{name}: less than {gain} dB better")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
