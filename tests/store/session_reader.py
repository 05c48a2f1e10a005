"""A reader of session files that shares nothing with the store: the standard library and the format, nothing else."""

import json
import re

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def check(data: bytes) -> None:
    """Fail unless the bytes are what the CLI itself could have written: header, then messages and titles."""
    assert data.endswith(b"\n")
    assert b"\xe2\x80\xa8" not in data, "U+2028 tears a line for some versions of Node"
    for number, line in enumerate(data.decode("utf-8").split("\n")[:-1]):
        value = json.loads(line)
        keys = list(value)
        if value.get("type") == "metadata":
            assert number == 0
            assert keys in (["type", "workdir", "createdAt"], ["type", "workdir", "createdAt", "gitBranch"])
            assert TIME.fullmatch(value["createdAt"])
        elif value.get("type") == "custom-title":
            assert keys == ["type", "customTitle", "sessionId"]
        else:
            assert keys[:4] == ["timestamp", "id", "role", "blocks"]
            assert TIME.fullmatch(value["timestamp"])
            assert value["role"] in {"user", "assistant"}
        assert line == compact(value).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def records(data: bytes) -> list[dict]:
    """Give the objects at the beginning of each line, in order; what follows a torn one on its line is left out."""
    found = []
    for line in data.split(b"\n"):
        text = line.decode("utf-8", "replace").strip()
        while text:
            try:
                value, end = json.JSONDecoder().raw_decode(text)
            except ValueError:
                break
            found += [value] if isinstance(value, dict) else []
            text = text[end:].strip()
    return found


def messages(data: bytes) -> list[dict]:
    return [each for each in records(data) if "timestamp" in each]


def thread_ids(data: bytes) -> list[str]:
    """Give the ids of the whole thread, each where it stands last."""
    ids = [each["id"] for each in messages(data)]
    return [each for at, each in enumerate(ids) if each not in ids[at + 1 :]]


def title(data: bytes) -> str | None:
    titles = [each["customTitle"] for each in records(data) if each.get("type") == "custom-title"]
    return titles[-1] if titles else None
