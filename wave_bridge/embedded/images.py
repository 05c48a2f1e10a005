"""Pictures sent along with a message: a data URL becomes a file, a path stays what it is."""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded.blocks import now_ms

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIXES: Final = {"image/jpeg": "jpg", "image/svg+xml": "svg"}


def place(tmp: Path, image: dict[str, Any]) -> str:
    """Give the path of a picture. A data URL that is broken passes unchanged, as paths do that lead nowhere."""
    path = str(image.get("path", ""))
    head, comma, data = path.partition(",")
    if not head.startswith("data:") or not head.endswith(";base64") or not comma:
        return path
    kind = head.removeprefix("data:").removesuffix(";base64")
    suffix = _SUFFIXES.get(kind, kind.rpartition("/")[2] or "png")
    if not suffix.isalnum():
        suffix = "png"
    try:
        content = base64.b64decode(data, validate=True)
    except binascii.Error:
        return path
    file = tmp / f"wave-image-{now_ms()}-{secrets.token_hex(3)}.{suffix}"
    file.write_bytes(content)
    return str(file)
