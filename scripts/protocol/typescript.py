"""TypeScript types of the protocol, written by json-schema-to-typescript."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import schema

HERE = Path(__file__).parent
TOOL = HERE / "node_modules/json-schema-to-typescript/dist/src/cli.js"
BANNER = "/* Written by scripts/generate from wave_bridge/core/client_api.py: change that, not this. */"
PROVENANCE = re.compile(r"\n \*\n \* This interface was referenced by .*\n \* via the `definition` .*")
OPTIONS = ("--unreachableDefinitions", "--no-additionalProperties", "--format", "--bannerComment", BANNER)


def available() -> bool:
    """Say whether Node and npm are there."""
    return bool(shutil.which("node") and shutil.which("npm"))


def types() -> str:
    """Give the file's text; installs the generator, in the version that package.json names, where it is missing."""
    if not _installed():
        npm = str(shutil.which("npm"))
        subprocess.run([npm, "install", "--no-audit", "--no-fund", "--no-package-lock"], cwd=HERE, check=True)
    written = subprocess.run(
        ["node", str(TOOL), *OPTIONS],
        input=json.dumps(schema.whole()).encode(),
        capture_output=True,
        check=True,
    )
    return PROVENANCE.sub("", written.stdout.decode())


def _installed() -> bool:
    wanted = json.loads((HERE / "package.json").read_text("utf-8"))
    versions = wanted["dependencies"] | wanted["overrides"]
    manifests = {name: HERE / "node_modules" / name / "package.json" for name in versions}
    return all(
        manifest.exists() and json.loads(manifest.read_text("utf-8"))["version"] == versions[name]
        for name, manifest in manifests.items()
    )
