"""Fixtures of the tests of the surface for any LSP editor: the end-to-end tests' machine, other editors on it."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parent.parent / name) for name in ("e2e", "lsp")]

import pytest
from generic_editor import GenericEditor, announcing
from machine import BRIDGE, machine, work  # noqa: F401 - fixtures


@pytest.fixture
async def start(machine):  # noqa: F811 - the fixture
    """Start an editor that announces what a recorded one does, or what it is given."""

    async def start(capabilities="neovim_v0.11.0", folder=None, *flags):
        announced = announcing(capabilities) if isinstance(capabilities, str) else capabilities
        editor = GenericEditor(announced)
        await editor.start_io(*BRIDGE, "--stdio", *flags, env=machine.env, cwd=str(machine.root))
        machine.editors.append(editor)
        await editor.hello(folder or machine.folder("work"))
        return editor

    return start


@pytest.fixture
async def editor(start):
    return await start()
