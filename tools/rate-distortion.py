#!/usr/bin/env python3
"""Bytes against looks of the searches, on pictures that they have not seen.

For each model, `convert --min-psnr G` is run over a range of G, with smooth ramps among what counts and with
`--photos-only`, calibrated with the built-in set. Each file is judged by `eval` on six pictures of 256 by 256: five
photographs of scikit-image and scikit-learn and a gradient (red = x, green = y, blue their mean), none of them in the
calibration set. Two curves come of it:

    photographs   --photos-only; the PSNR is that of the worst of the five photographs
    all           without it; the PSNR is that of the worst of all six pictures

The bytes are those of the whole file on disk. Between the files measured the curves are interpolated, decibels linearly;
nothing is extrapolated. Writes rate-distortion.csv (every file), goals.csv (the bytes at each goal) and
rate-distortion.svg into --output, and prints the table of goals.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

import numpy
import skimage.data
import sklearn.datasets
from PIL import Image

GRADIENT = "gradient"
CURVES = {"photographs": ["--photos-only"], "all": []}
COLOURS = {"photographs": "#1f6feb", "all": "#d1242f"}


def write_pictures(folder, side):
    """Five photographs, each the middle square brought to `side`, and the gradient."""
    samples = sklearn.datasets.load_sample_images()
    named = {os.path.splitext(os.path.basename(path))[0]: image for path, image in zip(samples.filenames, samples.images)}
    photographs = {
        "astronaut": skimage.data.astronaut(), "chelsea": skimage.data.chelsea(), "coffee": skimage.data.coffee(),
        "china": named["china"], "flower": named["flower"],
    }
    for name, pixels in photographs.items():
        height, width = pixels.shape[:2]
        edge = min(width, height)
        left, top = (width - edge) // 2, (height - edge) // 2
        square = Image.fromarray(pixels[top:top + edge, left:left + edge])
        square.resize((side, side), Image.Resampling.LANCZOS).save(os.path.join(folder, name + ".png"))
    y, x = numpy.mgrid[0:side, 0:side] * 255 // (side - 1)
    Image.fromarray(numpy.stack([x, y, (x + y) // 2], -1).astype(numpy.uint8)).save(
        os.path.join(folder, GRADIENT + ".png"))


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)


def measure(binary, model, options, goal, pictures, folder):
    """Converts, judges, and gives the file's bytes and each picture's PSNR; None where it is beyond reach."""
    path = os.path.join(folder, "found.stylemodel")
    run(binary, "convert", model, "--min-psnr", f"{goal:g}", *options, "-o", path, "--json")
    report = run(binary, "eval", path, "--source", model, "--images", pictures, "--json")
    psnr = {os.path.splitext(p["name"])[0]: p["psnr_db"] for p in report["models"][0]["pictures"]}
    return os.path.getsize(path), psnr


def worst(curve, psnr):
    return min(value for name, value in psnr.items() if curve == "all" or name != GRADIENT)


def bytes_at(points, goal):
    """The bytes at which a curve reaches a goal, interpolated; None outside of what was measured."""
    points = sorted(points)
    for (bytes_below, below), (bytes_above, above) in zip(points, points[1:]):
        if below <= goal <= above:
            share = (goal - below) / (above - below) if above > below else 1
            return bytes_below + share * (bytes_above - bytes_below)
    return None


def plot(curves, path):
    """The curves of all models as one drawing."""
    # A letter is about seven units wide.
    right = 64 + 7 * max(len(f"{model}, {curve}") for model, curve in curves)
    width, height, left, bottom, top = 520 + right, 440, 64, 48, 24
    points = [point for curve in curves.values() for point in curve]
    least, most = 0, max(b for b, _ in points) * 1.05
    low, high = 5 * int(min(p for _, p in points) // 5), 5 * int(max(p for _, p in points) // 5 + 1)
    across = lambda b: left + (b - least) / (most - least) * (width - left - right)
    up = lambda p: height - bottom - (p - low) / (high - low) * (height - bottom - top)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for p in range(low, high + 1, 5):
        lines.append(f'<path d="M{left} {up(p):.1f}H{width - right}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{up(p) + 4:.1f}" text-anchor="end">{p}</text>')
    step = next(s for s in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if most / 1000 / s <= 8)
    for kilobytes in range(0, int(most / 1000) + 1, step):
        x = across(kilobytes * 1000)
        lines.append(f'<path d="M{x:.1f} {top}V{height - bottom}" stroke="#eee"/>'
                     f'<text x="{x:.1f}" y="{height - bottom + 18}" text-anchor="middle">{kilobytes}</text>')
    lines.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">file, kB</text>'
                 f'<text transform="translate(16 {height / 2}) rotate(-90)" text-anchor="middle">PSNR of the worst picture, dB</text>')
    dashes = {}
    for number, ((model, curve), points) in enumerate(curves.items()):
        dash = dashes.setdefault(model, ["none", "6 3", "2 2", "8 3 2 3"][len(dashes) % 4])
        path_data = "M" + "L".join(f"{across(b):.1f} {up(p):.1f}" for b, p in sorted(points))
        y = top + 12 + 18 * number
        lines.append(f'<path d="{path_data}" fill="none" stroke="{COLOURS[curve]}" stroke-width="2" stroke-dasharray="{dash}"/>')
        lines += [f'<circle cx="{across(b):.1f}" cy="{up(p):.1f}" r="3" fill="{COLOURS[curve]}"/>' for b, p in points]
        lines.append(f'<path d="M{width - right + 12} {y - 4}h24" stroke="{COLOURS[curve]}" stroke-width="2" stroke-dasharray="{dash}"/>'
                     f'<text x="{width - right + 42}" y="{y}">{model}, {curve}</text>')
    with open(path, "w") as file:
        file.write("\n".join(lines + ["</svg>\n"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="networks (default: Fixtures/mosaic_4000.pth)")
    parser.add_argument("--goals", default="30,35,40,45,50", help="decibels, apart by commas (default: %(default)s)")
    parser.add_argument("--output", default="rate-distortion", help="the folder for what is written (default: %(default)s)")
    parser.add_argument("--side", type=int, default=256, help="the side of the test pictures (default: %(default)s)")
    arguments = parser.parse_args()
    goals = [float(goal) for goal in arguments.goals.split(",")]
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    models = arguments.models or [os.path.join(root, "Fixtures", "mosaic_4000.pth")]
    os.makedirs(arguments.output, exist_ok=True)
    curves, files = {}, []
    with tempfile.TemporaryDirectory() as folder:
        pictures = os.path.join(folder, "pictures")
        os.mkdir(pictures)
        write_pictures(pictures, arguments.side)
        for model in models:
            name = os.path.basename(model)
            for curve, options in CURVES.items():
                points = curves.setdefault((name, curve), [])
                # What calibration pictures keep and what others do lie apart; from goal to goal until all are enclosed.
                asked = min(goals) - 6
                while asked <= max(goals) + 12 and (not points or points[-1][1] < max(goals)):
                    size, psnr = measure(arguments.binary, model, options, max(asked, 1), pictures, folder)
                    points.append((size, worst(curve, psnr)))
                    files.append([name, curve, f"{asked:g}", size, f"{worst(curve, psnr):.3f}"]
                                 + [f"{psnr[key]:.3f}" for key in sorted(psnr)])
                    print(f"{name}, {curve}: asked {asked:g} dB, {size} bytes, {points[-1][1]:.2f} dB", file=sys.stderr)
                    asked += 2.5
                    keys = sorted(psnr)
    with open(os.path.join(arguments.output, "rate-distortion.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", "curve", "min_psnr", "bytes", "worst_psnr"] + keys)
        writer.writerows(files)
    rows = [["model", "curve"] + [f"{goal:g} dB" for goal in goals]]
    for (model, curve), points in curves.items():
        found = [bytes_at(points, goal) for goal in goals]
        rows.append([model, curve] + ["-" if value is None else f"{value / 1000:.0f}" for value in found])
    with open(os.path.join(arguments.output, "goals.csv"), "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    plot(curves, os.path.join(arguments.output, "rate-distortion.svg"))
    print("kB at which the worst picture has so many dB")
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(w) if column > 1 else cell.ljust(w) for column, (cell, w) in enumerate(zip(row, widths))))


if __name__ == "__main__":
    main()
