"""Writes the tiny pictures beside it: every kind that a decoder meets, and broken ones. Needs NumPy and Pillow.

    python3 Fixtures/pictures/make_pictures.py

PNGs are put together by hand, since Pillow cannot write every kind. The tests recompute what each should hold.
"""
import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).parent
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed_rows(samples, depth):
    """Scan lines of `samples` [height, width, channels], each after filter byte 0."""
    out = b""
    for row in samples:
        flat = row.reshape(-1)
        if depth == 16:
            line = flat.astype(">u2").tobytes()
        elif depth == 8:
            line = flat.astype(np.uint8).tobytes()
        else:
            bits = "".join(format(int(v), f"0{depth}b") for v in flat)
            bits += "0" * (-len(bits) % 8)
            line = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
        out += b"\0" + line
    return out


def png(samples, depth, color, before=(), interlaced=False, size=None, data=None):
    height, width = samples.shape[:2]
    header = struct.pack(">IIBBBBB", *(size or (width, height)), depth, color, 0, 0, int(interlaced))
    passes = [samples[y::dy, x::dx] for x, y, dx, dy in ADAM7] if interlaced else [samples]
    data = data or zlib.compress(b"".join(packed_rows(p, depth) for p in passes if p.size), 9)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunk(k, d) for k, d in before)
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def exif(orientation, order):
    """A TIFF structure with one entry, the orientation."""
    return ((b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, 1)
            + struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0) + struct.pack(order + "I", 0))


def jpeg(array, mode="RGB", **options):
    out = io.BytesIO()
    Image.fromarray(array, mode).save(out, "JPEG", **{"quality": 95, "subsampling": 0, **options})
    return out.getvalue()


def stored_as(upright, orientation):
    """The rows and columns from which a viewer that obeys `orientation` gets `upright`."""
    transpose = upright.swapaxes(0, 1)
    return np.ascontiguousarray({
        1: upright, 2: upright[:, ::-1], 3: upright[::-1, ::-1], 4: upright[::-1], 5: transpose,
        6: transpose[::-1], 7: transpose[::-1, ::-1], 8: transpose[:, ::-1]}[orientation])


def write(name, data):
    (HERE / name).write_bytes(data)


# PNG, 4x3: red = 60 x, green = 100 y, blue = 30; grey = 60 x + 20 y; alpha = 255, 255, 128, 0 by column.
y, x = np.mgrid[0:3, 0:4]
rgb = np.stack([60 * x, 100 * y, 30 + 0 * x], 2)
grey = (60 * x + 20 * y)[..., None]
alpha = np.array([255, 255, 128, 0])[x][..., None]
colours = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 8, 7]], np.uint8)
index = ((x + y) % 4)[..., None]
write("rgb_4x3.png", png(rgb, 8, RGB))
write("rgb_opaque_alpha_4x3.png", png(np.concatenate([rgb, 0 * alpha + 255], 2), 8, RGBA))
write("rgba_4x3.png", png(np.concatenate([rgb, alpha], 2), 8, RGBA))
write("rgb16_4x3.png", png(rgb * 257 + 1, 16, RGB))
write("rgba16_4x3.png", png(np.concatenate([rgb * 257, alpha * 257], 2), 16, RGBA))
write("grey_4x3.png", png(grey, 8, GREY))
write("grey16_4x3.png", png(grey * 257, 16, GREY))
write("grey_alpha_4x3.png", png(np.concatenate([grey, alpha], 2), 8, GREY_ALPHA))
write("grey_key_4x3.png", png(grey, 8, GREY, [(b"tRNS", struct.pack(">H", 60))]))
for bits in (1, 2, 4):
    write(f"grey{bits}_4x3.png", png(((x + y) % (1 << bits))[..., None], bits, GREY))
write("palette_4x3.png", png(index, 8, PALETTE, [(b"PLTE", colours.tobytes())]))
write("palette2_4x3.png", png(index, 2, PALETTE, [(b"PLTE", colours.tobytes())]))
write("palette_alpha_4x3.png",
      png(index, 8, PALETTE, [(b"PLTE", colours.tobytes()), (b"tRNS", bytes([255, 128, 0]))]))
write("gamma_4x3.png", png(rgb, 8, RGB, [(b"gAMA", struct.pack(">I", 100000))]))
write("turned_3x4.png", png(stored_as(rgb, 6), 8, RGB, [(b"eXIf", exif(6, ">"))]))
yy, xx = np.mgrid[0:7, 0:9]
write("interlaced_9x7.png", png(np.stack([xx * 20, yy * 30, xx + yy], 2), 8, RGB, interlaced=True))

# PNGs to be refused.
whole = png(rgb, 8, RGB)
write("bad_cut_off.png", whole[:-25])
write("bad_checksum.png", whole[:-13] + bytes([whole[-13] ^ 1]) + whole[-12:])
write("bad_stream.png", png(rgb, 8, RGB, data=b"\x55" * 40))
write("bad_no_pixels.png", png(rgb, 8, RGB, size=(0, 3)))
write("bad_claims_10000x10000.png", png(rgb, 8, RGB, size=(10000, 10000)))
write("bad_claims_40000x40000.png", png(rgb, 8, RGB, size=(40000, 40000)))

# JPEG, 24x16 in six flat 8x8 blocks: the eight ways a camera can be held, in either byte order.
blocks = np.array([[[200, 40, 40], [40, 200, 40], [40, 40, 200]],
                   [[220, 220, 40], [40, 220, 220], [220, 40, 220]]], np.uint8)
upright = blocks.repeat(8, 0).repeat(8, 1)
for orientation in range(1, 9):
    write(f"orientation_{orientation}.jpg",
          jpeg(stored_as(upright, orientation), exif=b"Exif\0\0" + exif(orientation, "<>"[orientation % 2])))

# JPEG, 16x16 of curves and steps; the .decoded.png is what Pillow makes of it.
v, u = np.mgrid[0:16, 0:16]
scene = np.stack([128 + 120 * np.sin(u / 3 + v / 7), v * 16 + u, 255 * ((u // 3 + v // 5) % 2)], 2)
scene = scene.clip(0, 255).astype(np.uint8)
kinds = {
    "baseline_420_16x16": dict(subsampling=2, quality=80),
    "baseline_422_16x16": dict(subsampling=1, quality=80),
    "progressive_16x16": dict(progressive=True, subsampling=2, quality=80),
}
for name, options in kinds.items():
    data = jpeg(scene, **options)
    write(name + ".jpg", data)
    decoded = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    write(name + ".decoded.png", png(decoded, 8, RGB))
padded = (HERE / "baseline_420_16x16.jpg").read_bytes()
write("padded_16x16.jpg", padded[:-2] + bytes(40) + padded[-2:])
write("grey_16x16.jpg", jpeg(scene[..., 1], "L"))
# Flat CMYK, 50 60 70 80 of 255 inks: Pillow writes it inverted and marked as Adobe's.
inks = np.broadcast_to(np.array([50, 60, 70, 80], np.uint8), (8, 8, 4)).copy()
cmyk = jpeg(inks, "CMYK", quality=100)
write("cmyk_adobe_8x8.jpg", cmyk)
start = cmyk.index(b"\xff\xee")
length = struct.unpack(">H", cmyk[start + 2:start + 4])[0]
write("cmyk_plain_8x8.jpg", cmyk[:start] + cmyk[start + 2 + length:])

# JPEGs to be refused.
baseline = jpeg(scene, **kinds["baseline_420_16x16"])
progressive = jpeg(scene, **kinds["progressive_16x16"])
scan = baseline.index(b"\xff\xda")
size = baseline.index(b"\xff\xc0") + 5
write("bad_cut_off.jpg", baseline[:-60])
write("bad_no_end.jpg", baseline[:-2])
write("bad_cut_off_progressive.jpg", progressive[:-30])
write("bad_stream.jpg", baseline[:scan + 20] + b"\xff\x00" * 20 + baseline[scan + 60:])
write("bad_claims_60000x60000.jpg", baseline[:size] + struct.pack(">HH", 60000, 60000) + baseline[size + 4:])
write("bad_claims_9000x9000.jpg", baseline[:size] + struct.pack(">HH", 9000, 9000) + baseline[size + 4:])
write("bad_arithmetic.jpg", baseline.replace(b"\xff\xc0", b"\xff\xc9", 1))


def segment(marker, data):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data


def scan_of(first, last, high, low):
    """A scan of one grey block in which everything is zero: the code 0, then ones to fill the byte."""
    return segment(0xDA, bytes([1, 1, 0x00, first, last, high << 4 | low])) + b"\x7f"


# One grey block in 127 scans, all lawful: a coefficient at a time, each once roughly and once refined.
one_code = bytes([1] + [0] * 15 + [0])
write("bad_127_scans.jpg",
      b"\xff\xd8" + segment(0xDB, bytes([0] + [1] * 64)) + segment(0xC2, bytes([8, 0, 8, 0, 8, 1, 1, 0x11, 0]))
      + segment(0xC4, b"\x00" + one_code) + segment(0xC4, b"\x10" + one_code) + scan_of(0, 0, 0, 0)
      + b"".join(scan_of(k, k, 0, 1) for k in range(1, 64)) + b"".join(scan_of(k, k, 1, 0) for k in range(1, 64))
      + b"\xff\xd9")

# .npy, 4x3, floats: the picture above minus 0.5 times 1.5, so partly outside 0…255.
floats = rgb * 1.5 - 0.5


def npy(array, version=(1, 0)):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


write("float32_4x3.npy", npy(floats.astype("<f4")))
write("float32_big_4x3.npy", npy(floats.astype(">f4")))
write("float64_4x3.npy", npy(floats.astype("<f8")))
write("float64_big_4x3.npy", npy(floats.astype(">f8"), (2, 0)))
write("uint8_4x3.npy", npy(rgb.astype(np.uint8), (3, 0)))
write("bad_fortran.npy", npy(np.asfortranarray(floats.astype("<f4"))))
write("bad_int64.npy", npy(rgb))
write("bad_planar.npy", npy(floats.astype("<f4").transpose(2, 0, 1).copy()))
write("bad_cut_off.npy", npy(floats.astype("<f4"))[:-1])
write("bad_not_finite.npy", npy(np.where(floats > 200, np.inf, floats).astype("<f4")))
