"""What the browser door serves: the panel's page, the files that it loads, and the headers that fence them in.

Files are named by a table that is read from the assets folder: what is not in it cannot be asked for, however a path
is spelled.
"""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from wave_bridge.messages import text

if TYPE_CHECKING:
    from wave_bridge.messages import Locale

ASSETS: Final = Path(__file__).parent / "assets"  # scripts/build-panel fills it
SCRIPT, STYLE = "panel.js", "panel.css"
TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".wasm": "application/wasm",
}
HTML: Final = "text/html; charset=utf-8"
_FENCES: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self' ws://{authority}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE: Final = """<!doctype html>
<html lang="{locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{head}</head>
<body>{body}</body>
</html>
"""


def files(folder: Path = ASSETS) -> dict[str, Path]:
    """Give what may be served, by its path below the page; nothing when the panel was not built."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def content_type(name: str) -> str:
    """Give a file's media type."""
    return TYPES.get(Path(name).suffix, "application/octet-stream")


def fences(authority: str) -> dict[str, str]:
    """Give the headers of every answer; `authority` is `host:port`."""
    return {**_FENCES, "Content-Security-Policy": _POLICY.format(authority=authority)}


def panel_page(host: dict[str, Any], locale: Locale) -> str:
    """Give the page that loads the panel; `host` tells it where it is (docs/PROTOCOL.md, Panels in a browser)."""
    told = html.escape(msgspec.json.encode(host).decode())
    head = (
        f'<meta name="wave-host" content="{told}">\n'
        f'<link rel="stylesheet" href="{STYLE}">\n'
        f'<script type="module" src="{SCRIPT}"></script>\n'
    )
    return _PAGE.format(locale=locale, title=text("web.title", locale), head=head, body='<div id="root"></div>')


def plain_page(key: str, locale: Locale) -> str:
    """Give a page that says one thing."""
    said = html.escape(text(key, locale))
    return _PAGE.format(locale=locale, title=text("web.title", locale), head="", body=f"<p>{said}</p>")
