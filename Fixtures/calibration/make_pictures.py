"""Writes the photographs and textures of the built-in calibration set, from scikit-image's data: run it with scikit-image 0.26 and
Pillow. Each is cut to a square, scaled down and stored as a JPEG of quality 92."""

import pathlib

import numpy as np
import skimage.data
from PIL import Image

HERE = pathlib.Path(__file__).parent


def save(name, array, left, top, side, size):
    array = np.asarray(array)
    if array.ndim == 2:
        array = np.stack([array] * 3, axis=-1)
    picture = Image.fromarray(array[top : top + side, left : left + side])
    picture.resize((size, size), Image.LANCZOS).save(HERE / f"{name}.jpg", quality=92, subsampling=0)


save("rocket", skimage.data.rocket(), 100, 0, 427, 192)
save("hubble", skimage.data.hubble_deep_field(), 60, 100, 640, 192)
save("tissue", skimage.data.immunohistochemistry(), 0, 0, 512, 192)
save("retina", skimage.data.retina(), 150, 150, 1100, 192)
save("grass", skimage.data.grass(), 0, 0, 256, 128)
save("bricks", skimage.data.brick(), 0, 0, 512, 128)
save("gravel", skimage.data.gravel(), 0, 0, 256, 128)
