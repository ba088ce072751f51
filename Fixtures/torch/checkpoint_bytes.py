"""Builds the bytes of PyTorch checkpoints with the standard library alone.

Stand-ins for the few names of PyTorch that its pickles mention are put into `sys.modules`, so that Python's own
pickler writes just what it writes for the real ones. Nothing here can load a checkpoint.
"""

import collections
import io
import pickle
import struct
import sys
import types
import zlib


def module(name):
    """The stand-in module of that name, made on first use, its parents too."""
    parent, _, last = name.rpartition(".")
    if name not in sys.modules:
        sys.modules[name] = types.ModuleType(name)
        if parent:
            setattr(module(parent), last, sys.modules[name])
    return sys.modules[name]


def stand_in(dotted, make_function=False, bases=(object,)):
    """A class or function that pickles as the global `dotted`."""
    module_name, _, name = dotted.rpartition(".")
    if hasattr(module(module_name), name):
        return getattr(module(module_name), name)
    made = (lambda *_: None) if make_function else type(name, bases, {})
    made.__module__, made.__name__, made.__qualname__ = module_name, name, name
    setattr(module(module_name), name, made)
    return made


STORAGE_CLASSES = {
    "d": stand_in("torch.DoubleStorage"),
    "f": stand_in("torch.FloatStorage"),
    "e": stand_in("torch.HalfStorage"),
    "bf16": stand_in("torch.BFloat16Storage"),
    "q": stand_in("torch.LongStorage"),
    "i": stand_in("torch.IntStorage"),
    "h": stand_in("torch.ShortStorage"),
    "b": stand_in("torch.CharStorage"),
    "B": stand_in("torch.ByteStorage"),
    "?": stand_in("torch.BoolStorage"),
    "untyped": stand_in("torch.storage.UntypedStorage"),
}
# Codes of `struct` for those that are not one themselves.
ELEMENT_CODES = {}

REBUILD = {
    1: stand_in("torch._utils._rebuild_tensor", True),
    2: stand_in("torch._utils._rebuild_tensor_v2", True),
    3: stand_in("torch._utils._rebuild_tensor_v3", True),
}


def pack(code, values, order="<"):
    """Numbers as bytes; `bf16` takes the upper halves of floats."""
    if code == "untyped":
        return bytes(values)
    if code == "bf16":
        uppers = [struct.unpack("<I", struct.pack("<f", value))[0] >> 16 for value in values]
        return struct.pack(f"{order}{len(uppers)}H", *uppers)
    return struct.pack(f"{order}{len(values)}{ELEMENT_CODES.get(code, code)}", *values)


class Storage:
    """The numbers behind tensors."""

    def __init__(self, code, values, location="cpu", count=None):
        self.code, self.values, self.location = code, list(values), location
        self.count = len(self.values) if count is None else count
        self.view = None


class Tensor:
    """A view of a storage; contiguous unless told otherwise."""

    def __init__(self, storage, size, stride=None, offset=0, version=2, dtype=None):
        self.storage, self.size, self.offset, self.version, self.dtype = storage, tuple(size), offset, version, dtype
        if stride is None:
            stride, step = [], 1
            for extent in reversed(self.size):
                stride.insert(0, step)
                step *= extent
        self.stride = tuple(stride)

    def __reduce_ex__(self, _protocol):
        arguments = (self.storage, self.offset, self.size, self.stride)
        if self.version > 1:
            arguments += (False, collections.OrderedDict())
        if self.version > 2:
            arguments += (self.dtype,)
        return REBUILD[self.version], arguments


class Call:
    """Pickles as a call of `function` with `arguments`, with `state` by BUILD."""

    def __init__(self, function, *arguments, state=None):
        self.reduced = (function, arguments) if state is None else (function, arguments, state)

    def __reduce_ex__(self, _protocol):
        return self.reduced


class Pickler(pickle._Pickler):
    """Python's own pickler, with PyTorch's persistent ids for storages."""

    def __init__(self, file, protocol, is_legacy=False):
        super().__init__(file, protocol)
        self.storages, self.is_legacy, self.classes = {}, is_legacy, set()

    def persistent_id(self, thing):
        if self.is_legacy and isinstance(thing, type) and thing.__module__.startswith("torch.nn.modules."):
            # Once a class, its source went along, so that PyTorch could warn of changes.
            if thing in self.classes:
                return None
            self.classes.add(thing)
            return ("module", thing, "/site-packages/torch/nn/modules/conv.py", f"class {thing.__name__}: ...")
        if not isinstance(thing, Storage):
            return None
        key = self.storages.setdefault(id(thing), (str(len(self.storages)), thing))[0]
        identifier = ("storage", STORAGE_CLASSES[thing.code], key, thing.location, thing.count)
        return identifier + (thing.view,) if self.is_legacy else identifier


def pickled(thing, protocol=2, is_legacy=False):
    """The pickle of `thing`, and its storages by key."""
    file = io.BytesIO()
    pickler = Pickler(file, protocol, is_legacy)
    pickler.dump(thing)
    return file.getvalue(), dict(pickler.storages.values())


def zip_file(members, zip64=False, descriptors=False, lie=lambda record: None):
    """A zip of (name, bytes[, is_deflated]). `lie` may change a member's record before it is written."""
    out, directory = bytearray(), bytearray()
    for name, content, *is_deflated in members:
        stored = content
        if is_deflated and is_deflated[0]:
            deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
            stored = deflate.compress(content) + deflate.flush()
        record = types.SimpleNamespace(
            name=name.encode(), local_name=name.encode(), stored=stored, crc=zlib.crc32(content), size=len(content),
            stored_size=len(stored), method=8 if is_deflated and is_deflated[0] else 0,
            flags=0x808 if descriptors else 0x800, offset=len(out))
        lie(record)
        sizes = (record.stored_size, record.size)
        local_sizes = (0, 0, 0) if descriptors else (record.crc, *sizes)
        if zip64:
            extra = struct.pack("<HHQQQ", 1, 24, record.size, record.stored_size, record.offset)
            sizes, offset = (0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF
        else:
            extra, offset = b"", record.offset
        padding = b""
        if not zip64:
            # As PyTorch pads with an extra field, so that storages start at multiples of 64.
            missing = -(len(out) + 30 + len(record.local_name) + 4) % 64
            padding = struct.pack("<HH", 0x4246, missing) + b"Z" * missing
        out += struct.pack(
            "<IHHHHHIIIHH", 0x04034B50, 20, record.flags, record.method, 0, 0x21, *local_sizes,
            len(record.local_name), len(padding)) + record.local_name + padding + record.stored
        if descriptors:
            out += struct.pack("<IIII", 0x08074B50, record.crc, record.stored_size, record.size)
        directory += struct.pack(
            "<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 20, record.flags, record.method, 0, 0x21, record.crc, *sizes,
            len(record.name), len(extra), 0, 0, 0, 0, offset) + record.name + extra
    start, count = len(out), len(members)
    out += directory
    if zip64:
        record_start = len(out)
        out += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, len(directory), start)
        out += struct.pack("<IIQI", 0x07064B50, 0, record_start, 1)
        count, size, start = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF
    else:
        size = len(directory)
    out += struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, 0)
    return bytes(out)


def checkpoint_members(data_pickle, storages, folder="fixture", byte_order="little", is_deflated=False):
    """The members of a checkpoint of PyTorch 2.1 and later."""
    order = ">" if byte_order == "big" else "<"
    members = [(f"{folder}/data.pkl", data_pickle, is_deflated)]
    if byte_order:
        members.append((f"{folder}/byteorder", byte_order.encode(), is_deflated))
    for key, storage in storages.items():
        members.append((f"{folder}/data/{key}", pack(storage.code, storage.values, order), is_deflated))
    return members + [(f"{folder}/version", b"3\n", is_deflated)]


def zip_checkpoint(thing, protocol=2, byte_order="little", is_deflated=False, **options):
    """What torch.save writes since release 1.6."""
    data_pickle, storages = pickled(thing, protocol)
    return zip_file(checkpoint_members(data_pickle, storages, byte_order=byte_order, is_deflated=is_deflated), **options)


def legacy_checkpoint(thing, little_endian=True, data_order="<", count_order="<"):
    """What torch.save wrote before release 1.6. `thing` may be the bytes of a pickle with storages."""
    sizes = {"short": 2, "int": 4, "long": 4}
    out = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2)
    out += pickle.dumps({"protocol_version": 1001, "little_endian": little_endian, "type_sizes": sizes}, 2)
    data_pickle, storages = pickled(thing, 2, is_legacy=True)
    keys = sorted(storages)
    out += data_pickle + pickle.dumps(keys, 2)
    for key in keys:
        storage = storages[key]
        out += struct.pack(count_order + "q", storage.count) + pack(storage.code, storage.values, data_order)
    return out


def numbers(count, step=7):
    """Sixteenths from -1 to 1, which every floating-point type holds exactly."""
    return [(index * step % 33 - 16) / 16 for index in range(count)]


def tensor(*size, code="f", location="cpu", step=7):
    """A contiguous tensor of `numbers`, in a storage of its own."""
    count = 1
    for extent in size:
        count *= extent
    return Tensor(Storage(code, numbers(count, step), location), size)


def two_layers(prefix="", **options):
    """The state dict that most fixtures hold: a convolution, a norm and another convolution."""
    shapes = {
        "conv1.weight": (4, 3, 3, 3), "conv1.bias": (4,), "in1.weight": (4,), "in1.bias": (4,),
        "conv2.weight": (3, 4, 1, 1), "conv2.bias": (3,),
    }
    return collections.OrderedDict((prefix + name, tensor(*shape, **options)) for name, shape in shapes.items())
