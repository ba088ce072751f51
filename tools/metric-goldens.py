"""Prints the figures that Tests/EvaluationTests expects, from scikit-image and from plain NumPy.

    pip install numpy pillow scikit-image
    python3 tools/metric-goldens.py

scikit-image pads before it filters and crops what it padded, 5 pixels a side for sigma 1.5, before it takes the mean:
what is left are exactly the windows that lie within the picture. Pictures smaller than its window it refuses; for
those, `plain_ssim` adds up every window by itself.
"""
from pathlib import Path

import numpy as np
import skimage
from PIL import Image
from skimage.metrics import structural_similarity

FIXTURES = Path(__file__).resolve().parent.parent / "Fixtures"


def fixture(name):
    return np.asarray(Image.open(FIXTURES / name).convert("RGB")).astype(float)


def mse(a, b):
    return float(np.mean((a - b) ** 2))


def scikit_ssim(a, b):
    return float(structural_similarity(a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
                                       data_range=255, channel_axis=2))


def luma_ssim(a, b):
    weights = np.array([0.299, 0.587, 0.114])
    return float(structural_similarity(a @ weights, b @ weights, gaussian_weights=True, sigma=1.5,
                                       use_sample_covariance=False, data_range=255))


def default_ssim(a, b):
    return float(structural_similarity(a, b, data_range=255, channel_axis=2))


def plain_ssim(a, b):
    side = min(11, *a.shape[:2])
    side -= 1 - side % 2
    t = np.arange(side) - side // 2
    line = np.exp(-t * t / (2 * 1.5 ** 2))
    window = np.outer(line, line)[..., None] / line.sum() ** 2
    values = []
    for y in range(a.shape[0] - side + 1):
        for x in range(a.shape[1] - side + 1):
            p, q = a[y:y + side, x:x + side], b[y:y + side, x:x + side]
            mp, mq = (window * p).sum((0, 1)), (window * q).sum((0, 1))
            vp, vq = (window * (p - mp) ** 2).sum((0, 1)), (window * (q - mq) ** 2).sum((0, 1))
            cov = (window * (p - mp) * (q - mq)).sum((0, 1))
            c1, c2 = 2.55 ** 2, 7.65 ** 2
            values.append((2 * mp * mq + c1) * (2 * cov + c2) / ((mp ** 2 + mq ** 2 + c1) * (vp + vq + c2)))
    return np.mean(values)


def changed(a, kind):
    """The same rules as `changed` in Tests/EvaluationTests/ImageQualityTests.swift."""
    y, x, c = np.indices(a.shape)
    return {
        "pattern": np.clip(a + (x * 7 + y * 13 + c * 5) % 21 - 10, 0, 255),
        "shift": np.roll(a, 1, 1),
        "steps": np.floor(a / 16) * 16,
        "negative": 255 - a,
        "beyond": a * 1.5 - 60,
    }[kind]


print("scikit-image", skimage.__version__)
for name in ("rocket_256x256", "coffee_131x97", "chelsea_96x64"):
    a = fixture(name + ".png")
    for kind in ("pattern", "shift", "steps", "negative", "beyond"):
        b = np.clip(changed(a, kind), 0, 255)
        print(f'("{name}", "{kind}", {mse(a, b)!r}, {float(10 * np.log10(65025 / mse(a, b)))!r}, {scikit_ssim(a, b)!r})')
        print(f'    luma {luma_ssim(a, b)!r}, skimage {default_ssim(a, b)!r}')
flat = np.full((16, 16, 3), 128.0)
print("128 against 130:", scikit_ssim(flat, flat + 2), float(10 * np.log10(65025 / 4)))
print("0 against 255:", scikit_ssim(flat * 0, flat * 0 + 255))
a = fixture("chelsea_96x64.png")
for height, width in ((1, 1), (1, 9), (2, 2), (3, 40), (10, 10), (11, 11), (12, 7), (13, 16)):
    p = a[20:20 + height, 30:30 + width]
    print(f"({width}, {height}, {float(plain_ssim(p, np.clip(changed(p, 'pattern'), 0, 255)))!r})")
