"""The protocol table as one JSON Schema: every Struct that a message holds, and which message holds which.

The shims' types and docs/PROTOCOL.md are written from this. Members that are always sent are required here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from wave_bridge.core.client_api import METHODS, Direction, Kind, Method
from wave_bridge.lsp.hello import Abilities, InitializationOptions

Schema = dict[str, Any]
REF = "#/$defs/"

# What a side may send: name of the map in the types, what it is.
MAPS: dict[tuple[Direction, Kind], tuple[str, str]] = {
    ("toBridge", "request"): ("BridgeRequests", "What an editor or a panel may ask the bridge."),
    ("toBridge", "notification"): ("BridgeNotifications", "What an editor or a panel may tell the bridge."),
    ("toClient", "request"): ("ClientRequests", "What the bridge may ask an editor."),
    ("toClient", "notification"): ("ClientNotifications", "What the bridge may tell an editor or a panel."),
}


def definitions() -> dict[str, Schema]:
    """Give every Struct of the protocol by name, sorted."""
    roots = [part for row in METHODS for part in (row.params, row.result) if is_struct(part)]
    roots = list(dict.fromkeys([*roots, InitializationOptions, Abilities]))
    _, found = msgspec.json.schema_components(roots, ref_template=REF + "{name}")
    structs = {cls.__name__: cls for cls in _reachable(roots)}
    return {name: _complete(found[name], structs[name]) for name in sorted(found)}


def whole() -> Schema:
    """Give one schema: the Structs, and a map of method names for each direction and kind."""
    maps = {name: _map(pair, doc) for pair, (name, doc) in MAPS.items()}
    root = {"title": "WaveProtocol", "type": "object", "properties": {name: {"$ref": REF + name} for name in maps}}
    return {**root, "required": list(maps), "$defs": maps | definitions()}


def is_struct(part: object) -> bool:
    """Say whether a result has a shape of ours; others pass the CLI's own values, or nothing."""
    return isinstance(part, type) and issubclass(part, msgspec.Struct)


def rows(pair: tuple[Direction, Kind]) -> list[Method]:
    """Give the table's rows of one direction and kind."""
    return [row for row in METHODS if (row.direction, row.kind) == pair]


def _map(pair: tuple[Direction, Kind], doc: str) -> Schema:
    members = {row.name: _row(row) for row in rows(pair)}
    return {"type": "object", "description": doc, "properties": members, "required": list(members)}


def _row(row: Method) -> Schema:
    members: dict[str, Schema] = {"params": {"$ref": REF + row.params.__name__}}
    if row.kind == "request":
        members["result"] = {"$ref": REF + row.result.__name__} if is_struct(row.result) else {}
    return {"type": "object", "description": row.doc, "properties": members, "required": list(members)}


def _reachable(roots: list[type[msgspec.Struct]]) -> list[type[msgspec.Struct]]:
    found: dict[type[msgspec.Struct], None] = {}
    waiting: list[Any] = [msgspec.inspect.type_info(root) for root in roots]
    while waiting:
        match waiting.pop():
            case msgspec.inspect.StructType(cls=cls, fields=fields) if cls not in found:
                found[cls] = None
                waiting += [field.type for field in fields]
            case msgspec.inspect.UnionType(types=types):
                waiting += types
            case msgspec.inspect.ListType(item_type=item):
                waiting.append(item)
    return list(found)


def _complete(schema: Schema, struct: type[msgspec.Struct]) -> Schema:
    """Require what is always sent, and say that the CLI's own objects have any members."""
    required = set(schema["required"])
    if not struct.__struct_config__.omit_defaults:
        fields = msgspec.structs.fields(struct)
        required |= {field.encode_name for field in fields if field.default is not msgspec.UNSET}
    members = {name: _opened(member) for name, member in schema["properties"].items()}
    return {**schema, "properties": members, "required": [name for name in members if name in required]}


def _opened(schema: Schema) -> Schema:
    match schema:
        case {"$ref": target}:
            return {"$ref": target}  # a reference with a default beside it would count as another type
        case {"type": "object"} if "additionalProperties" not in schema:
            return {**schema, "additionalProperties": True}
        case {"items": items}:
            return {**schema, "items": _opened(items)}
        case {"anyOf": options}:
            return {**schema, "anyOf": [_opened(option) for option in options]}
        case _:
            return schema
