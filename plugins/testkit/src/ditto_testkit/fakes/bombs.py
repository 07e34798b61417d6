"""Compressed bodies that are small on the wire and unpack to 500 MiB of zeros."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from functools import cache
from typing import Final

SIZE: Final = 500 << 20
"""How many bytes each of them unpacks to."""

_BLOCK: Final = 1 << 20
# 500 MiB of zeros for Brotli, which the standard library cannot make, itself packed by zlib.
_BROTLI: Final = (
    b"c-lMv|9|}tb%sY99TdL*oB#j+{}28QM-mwu-u<-)avsiS=s2vzaQAopzyJRa+cOHZvoh@Z{{PSa|Lyfm3VhrQCGY?L{QsZ-KZ}Em7{iNu"
    b"|3Cl#FaM9T!9s`O!ruSS|NpoDBg{}3!LXqE|9PlI8yFmLS;RDI5zHc>+469Um;pMB^BD"
)


def bomb(encoding: str) -> bytes:
    """Return the body for that ``Content-Encoding``: ``gzip``, ``deflate``, ``br`` or ``zstd``."""
    return _PACKERS[encoding]()


@cache
def _deflated() -> bytes:
    """Return one block after the other, each on its own, so that only one has to be packed."""
    packer = zlib.compressobj(level=9, wbits=-15)
    block = packer.compress(bytes(_BLOCK)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * (SIZE // _BLOCK) + packer.flush()


@cache
def _gzip() -> bytes:
    checksum = 0
    for _ in range(SIZE // _BLOCK):
        checksum = zlib.crc32(bytes(_BLOCK), checksum)
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    return head + _deflated() + checksum.to_bytes(4, "little") + SIZE.to_bytes(4, "little")


def _zlib() -> bytes:
    checksum = SIZE % 65_521 << 16 | 1  # Adler-32 of zeros
    return b"\x78\xda" + _deflated() + checksum.to_bytes(4, "big")


def _brotli() -> bytes:
    return zlib.decompress(base64.b85decode(_BROTLI))


def _zstd() -> bytes:
    """Return a frame of blocks that each say: 128 KiB of the same byte."""
    size, repeated = 128 << 10, 1 << 1
    block = (size << 3 | repeated).to_bytes(3, "little") + b"\0"
    last = (size << 3 | repeated | 1).to_bytes(3, "little") + b"\0"
    window = (17 - 10) << 3  # 2^17 bytes
    return b"\x28\xb5\x2f\xfd\x00" + bytes((window,)) + block * (SIZE // size - 1) + last


_PACKERS: Final[dict[str, Callable[[], bytes]]] = {"gzip": _gzip, "deflate": _zlib, "br": _brotli, "zstd": _zstd}
