"""Files as they were before the model changed them, so that a rewind can bring them back."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wave_bridge.embedded.blocks import Block, Message, first_text, is_block_of, now_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wave_bridge.embedded.thread import Thread


class Checkpoints:
    """The copies of one session, below `file-history/<session id>/`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def before_change(self, thread: Thread, path: Path) -> None:
        """Keep `path` as it is now, noted in the newest reply's block of bookkeeping."""
        message = thread.newest_reply()
        existed = path.is_file()
        snapshot = {
            "messageId": message["id"],
            "filePath": str(path),
            "timestamp": now_ms(),
            "operation": "modify" if existed else "create",
            "snapshotPath": str(self._keep(path)) if existed else "",
        }
        _history_of(message)["snapshots"].append(snapshot)

    def _keep(self, path: Path) -> Path:
        digest = hashlib.sha256(str(path).encode(errors="surrogatepass")).hexdigest()[:16]
        self._folder.mkdir(parents=True, exist_ok=True)
        version = len(list(self._folder.glob(f"{digest}@v*"))) + 1
        copy = self._folder / f"{digest}@v{version}"
        copy.write_bytes(path.read_bytes())
        return copy


def restore_files(dropped: Sequence[Message]) -> None:
    """Undo what the dropped messages did to files, newest first: created ones go, changed ones come back."""
    for message in reversed(dropped):
        for block in message["blocks"]:
            for snapshot in reversed(block.get("snapshots", [])):
                _undo(snapshot)


def listed(thread: Sequence[Message]) -> list[dict[str, str]]:
    """Give the messages to which a user can go back: what users wrote, blanks collapsed."""
    return [
        {"id": message["id"], "content": " ".join(first_text(message).split())}
        for message in thread
        if message["role"] == "user"
        and not message.get("isMeta")
        and not is_block_of(message, "task_notification", "bang", "tool")
        and not any(block.get("source") == "hook" for block in message["blocks"])
    ]


def _history_of(message: Message) -> Block:
    for block in message["blocks"]:
        if block.get("type") == "file_history":
            found: Block = block
            return found
    added: Block = {"type": "file_history", "snapshots": []}
    message["blocks"].append(added)
    return added


def _undo(snapshot: dict[str, Any]) -> None:
    path = Path(snapshot["filePath"])
    if snapshot["operation"] == "create":
        path.unlink(missing_ok=True)
    elif Path(snapshot["snapshotPath"]).is_file():
        path.write_bytes(Path(snapshot["snapshotPath"]).read_bytes())
