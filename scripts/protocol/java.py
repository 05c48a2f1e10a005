"""Java records of the protocol, in one file.

jsonschema2pojo would write a mutable bean with a JSON library's annotations for each of the shapes, thousands of lines
in seventy files, and no records; this is one file of records that Gson, which every JetBrains IDE carries, reads and
writes as they are. A component that is null was left out.
"""

from __future__ import annotations

import re
import textwrap
from typing import Any

import schema

PACKAGE = "dev.wave.bridge.generated"
HEAD = f"""\
// Written by scripts/generate from wave_bridge/core/client_api.py: change that, not this.
package {PACKAGE};

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;

/** What editors and panels say to the bridge and hear from it. A component that is null is left out of the JSON. */
public final class BridgeApi {{
    private BridgeApi() {{}}

    /** A request and what answers it; JsonElement where the CLI's own value passes. */
    public record Request<P, R>(String method, Class<P> params, Class<R> result) {{}}

    /** A notification. */
    public record Notification<P>(String method, Class<P> params) {{}}

    /** One part of a user's message. */
    public sealed interface Part permits {{parts}} {{}}
"""
SCALARS = {"string": "String", "boolean": "boolean", "integer": "long", "number": "double"}
BOXED = {"boolean": "Boolean", "long": "Long", "double": "Double"}
KEYWORDS = {"default", "enum", "new", "class", "switch", "package"}


def types() -> str:
    """Give the file's text."""
    shapes = schema.definitions()
    tagged = [name for name, shape in shapes.items() if _tag(shape)]
    parts = [HEAD.replace("{parts}", ", ".join(tagged))]
    for pair, (name, doc) in schema.MAPS.items():
        parts.append(_methods(pair, name, doc))
    parts += [_record(name, shape) for name, shape in shapes.items()]
    return "\n".join(parts) + "}\n"


def _methods(pair: Any, name: str, doc: str) -> str:
    lines = [_doc(doc), f"public static final class {name} {{", f"    private {name}() {{}}"]
    for row in schema.rows(pair):
        params = row.params.__name__
        lines += ["", textwrap.indent(_doc(row.doc), "    ")]
        if pair[1] == "notification":
            kind, values = f"Notification<{params}>", f"{params}.class"
        else:
            result = row.result.__name__ if schema.is_struct(row.result) else "JsonElement"
            kind, values = f"Request<{params}, {result}>", f"{params}.class, {result}.class"
        lines += [
            f"    public static final {kind} {_constant(row.name)} =",
            f'            new {_new(kind)}("{row.name}", {values});',
        ]
    return textwrap.indent("\n".join([*lines, "}"]), "    ") + "\n"


def _new(kind: str) -> str:
    return kind[: kind.index("<")] + "<>"


def _constant(method: str) -> str:
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", method.removeprefix("wave/"))
    return words.replace("/", "_").upper()


def _record(name: str, shape: schema.Schema) -> str:
    tag = _tag(shape)
    members = {key: member for key, member in shape["properties"].items() if key != "type" or not tag}
    components = [f"{_type(member, required=key in shape['required'])} {_name(key)}" for key, member in members.items()]
    choices = [f"{key}: {', '.join(member['enum'])}." for key, member in members.items() if "enum" in member]
    head = _doc(" ".join([shape["description"], *choices]))
    if not tag:
        body = f"public record {name}({', '.join(components)}) {{}}"
    else:
        values = ", ".join([f'"{tag}"', *map(_name, members)])
        body = (
            f"public record {name}(String type, {', '.join(components)}) implements Part {{\n"
            f"    public {name}({', '.join(components)}) {{\n"
            f"        this({values});\n"
            "    }\n"
            "}"
        )
    return textwrap.indent(f"{head}\n{_folded(body)}", "    ") + "\n"


def _folded(body: str) -> str:
    """Give a record whose first line is too long with a component a line."""
    first, _, rest = body.partition("\n")
    if len(first) <= 112:
        return body
    head, _, tail = first.partition("(")
    inside, _, end = tail.rpartition(")")
    components = ",\n        ".join(re.split(r", (?![^<]*>)", inside))
    return f"{head}(\n        {components}){end}" + (f"\n{rest}" if rest else "")


def _tag(shape: schema.Schema) -> str | None:
    values = shape["properties"].get("type", {}).get("enum", [])
    return values[0] if len(values) == 1 else None


def _name(key: str) -> str:
    return f"{key}_" if key in KEYWORDS else key


def _type(member: schema.Schema, *, required: bool) -> str:
    match member:
        case {"$ref": target}:
            return str(target).removeprefix(schema.REF)
        case {"anyOf": [option, {"type": "null"}]}:
            return _type(option, required=False)
        case {"anyOf": [{"$ref": _}, *_]}:
            return "Part"
        case {"enum": _}:
            return "String"
        case {"type": "array", "items": items}:
            return f"List<{_type(items, required=False)}>"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Map<String, {_type(values, required=False)}>"
        case {"type": "object"}:
            return "JsonObject"
        case {"type": str(scalar)}:
            return SCALARS[scalar] if required else BOXED.get(SCALARS[scalar], SCALARS[scalar])
        case _:
            return "JsonElement"


def _doc(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "")
    if len(escaped) <= 100:
        return f"/** {escaped} */"
    lines = textwrap.wrap(escaped, 100)
    return "\n".join(["/**", *(f" * {line}" for line in lines), " */"])
