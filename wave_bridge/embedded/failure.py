"""What a request can fail with: the codes and texts of the real CLI."""

from __future__ import annotations

from typing import Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603


class Refused(Exception):
    """The request is answered with an error; `code` may be a string, as Node's own errors have it."""

    def __init__(self, message: str, code: int | str = INTERNAL_ERROR) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class ToolFailed(Exception):
    """A tool call ends with `success: false`; the text is what the model is told."""


class ModelFailed(Exception):
    """A model call ends with an error block; the text is what the user sees."""
