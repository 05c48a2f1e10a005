"""The npm registry protocol, as far as one package is taken by it: metadata, the version, the archive, its files.

What a registry says is not believed: the archive must have the SHA-512 that the metadata names, may not be huge, and no
file of it may lie outside its folder or be a link. Blocking: for a thread.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import time
import zlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import httpx
import nodesemver  # type: ignore[import-untyped]  # it has no type information

if TYPE_CHECKING:
    from pathlib import Path

MAX_METADATA: Final = 16 << 20  # bytes
MAX_ARCHIVE: Final = 64 << 20  # bytes
MAX_UNPACKED: Final = 256 << 20  # bytes, over all files of one archive
MAX_HEADERS: Final = 64 << 20  # bytes, of what stands between the files
_READ_SECONDS: Final = 15.0  # without a byte


class RegistryFault(Exception):
    """A package can't be had; `str()` is a reason for a person, without addresses: they may hold passwords."""


class Registry:
    """A registry for one installation, which must be over at `deadline` (monotonic seconds)."""

    def __init__(self, address: str, deadline: float) -> None:
        self._address = address.rstrip("/")
        self._deadline = deadline
        self._client = httpx.Client(follow_redirects=True, timeout=_READ_SECONDS)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def choose(self, name: str, wanted: str) -> dict[str, Any]:
        """Give the manifest of the highest version in the range. Raises RegistryFault."""
        import json  # noqa: PLC0415 - beside httpx, which has it anyway

        body = self._get(f"{self._address}/{quote(name, safe='@')}", MAX_METADATA, name)
        try:
            versions = dict(json.loads(body)["versions"])
            highest = nodesemver.max_satisfying([*filter(_is_version, versions)], wanted, loose=False)
            return dict(versions[highest])
        except (ValueError, KeyError, TypeError) as fault:
            raise RegistryFault(f"{name}: the registry has no version in {wanted}") from fault

    def fetch(self, manifest: dict[str, Any], folder: Path) -> None:
        """Unpack the archive of a version into a new folder. Raises RegistryFault or OSError."""
        name = str(manifest.get("name"))
        dist = manifest.get("dist")
        if not isinstance(dist, dict):
            raise RegistryFault(f"{name}: the registry names no archive")
        archive = self._get(str(dist.get("tarball")), MAX_ARCHIVE, name)
        _check(archive, str(dist.get("integrity")), name)
        unpack(archive, folder, name)

    def _get(self, url: str, most: int, name: str) -> bytes:
        found = bytearray()
        try:
            with self._client.stream("GET", url) as response:
                if response.status_code != httpx.codes.OK:
                    raise RegistryFault(f"{name}: the registry answers {response.status_code}")
                for chunk in response.iter_bytes():
                    found += chunk
                    if len(found) > most:
                        raise RegistryFault(f"{name}: more than {most} bytes")
                    if time.monotonic() > self._deadline:
                        raise RegistryFault(f"{name}: it takes too long")
        except (httpx.HTTPError, httpx.InvalidURL) as fault:
            raise RegistryFault(f"{name}: {type(fault).__name__}") from fault
        return bytes(found)


def _is_version(text: object) -> bool:
    return isinstance(text, str) and nodesemver.valid(text, loose=False) is not None


def _check(archive: bytes, integrity: str, name: str) -> None:
    digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if f"sha512-{digest}" not in integrity.split():
        raise RegistryFault(f"{name}: the archive is not what the registry's hash names")


def unpack(archive: bytes, folder: Path, name: str) -> None:
    """Write the files of a gzipped tar archive into a folder, which is made; executable bits are kept.

    The first part of each path is npm's own wrapping. Raises RegistryFault, or OSError when the disk refuses.
    """
    try:
        _unpack(archive, folder, name)
    except (tarfile.TarError, EOFError, ValueError, zlib.error, gzip.BadGzipFile, OverflowError) as fault:
        raise RegistryFault(f"{name}: the archive is damaged") from fault


class _Bounded(gzip.GzipFile):
    """Unpacks no more than a bound, also of what stands between the files: an extended header may claim gigabytes."""

    def __init__(self, archive: bytes) -> None:
        super().__init__(fileobj=io.BytesIO(archive))
        self.left = MAX_UNPACKED + MAX_HEADERS

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(self.left + 1 if size is None or size < 0 else min(size, self.left + 1))
        self.left -= len(data)
        if self.left < 0:
            raise tarfile.ReadError("the archive unpacks to too much")
        return data


def _unpack(archive: bytes, folder: Path, name: str) -> None:
    room = MAX_UNPACKED
    with tarfile.open(fileobj=_Bounded(archive), mode="r|") as files:
        for member in files:
            path = PurePosixPath(member.name)
            if path.is_absolute() or ".." in path.parts or "\\" in member.name or ":" in member.name:
                raise RegistryFault(f"{name}: a file of the archive would leave its folder")
            if member.isdir():
                continue
            room -= member.size
            content = files.extractfile(member) if member.isreg() else None
            if content is None:
                raise RegistryFault(f"{name}: the archive holds a link or something else that is no file")
            if room < 0:
                raise RegistryFault(f"{name}: more than {MAX_UNPACKED} bytes unpacked")
            target = folder.joinpath(*path.parts[1:])
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                file.write(content.read())
            target.chmod(0o755 if member.mode & 0o111 else 0o644)
