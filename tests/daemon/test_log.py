"""Logs hold no secrets and nothing that acts on a terminal, and only their owner reads them."""

import json
import logging
import stat
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.log import MAX_RECORD, log_path, safe, set_up

SECRET = "hush-4711"


@pytest.mark.parametrize(
    "value",
    [
        {"apiKey": SECRET},
        {"API_KEY": SECRET, "x": 1},
        {"x-api-key": SECRET},
        {"refreshToken": SECRET},
        {"headers": {"Authorization": f"Bearer {SECRET}"}},
        {"mcpServers": {"a": {"command": "b", "env": {"ANY": SECRET, "BRACE": "}" + SECRET}}}},
        {"defaultHeaders": {"x": SECRET}},
        {"password": f'a"{SECRET}'},
        {"env": {"A": f'"{SECRET}', "B": f"'{SECRET}", "C": f"\\{SECRET}"}},
        {"text": json.dumps({"token": SECRET})},
        {"text": json.dumps({"env": {"A": SECRET}})},
        {"text": json.dumps({"text": json.dumps({"apiKey": SECRET})})},
    ],
)
def test_secrets_are_masked_in_json_and_in_python_and_when_cut_short(value):
    for text in (json.dumps(value), json.dumps(value, separators=(",", ":")), repr(value), repr(json.dumps(value))):
        for length in range(text.find(SECRET), len(text) + 1):
            assert "4711" not in safe(f"DEBUG payload {text[:length]}")


@pytest.mark.parametrize(
    "text",
    ['{"latestTotalTokens":123,"maxTokens":5}', '{"text":"the token is lost"}', '{"env":null}', "tab\there\nand there"],
)
def test_what_is_no_secret_stays(text):
    assert safe(text) == text


def test_what_is_beside_a_secret_stays():
    assert safe('{"a":1,"apiKey":"x","b":{"env":{"c":"d"},"e":2}}') == '{"a":1,"apiKey":"•••","b":{"env":{•••},"e":2}}'


def test_a_bearer_is_masked_wherever_it_stands():
    assert SECRET not in safe(f"Authorization: Bearer {SECRET}")


@given(st.text())
def test_nothing_acts_on_a_terminal(text):
    assert not set(safe(text)) & set("\x00\x07\x08\x1b\r\x7f\x9b\u202e\u2066")


@pytest.mark.parametrize(
    "text", ['"token":"' * 50_000, "-a" * 200_000, '"' + "token" * 50_000, "\\" * 200_000, '{"env":{"' + "\\'" * 99_999]
)
def test_no_text_takes_long(text):
    begun = time.process_time()
    assert len(safe(text)) < 2 * MAX_RECORD
    assert time.process_time() - begun < 1


@pytest.fixture
def root_logger():
    root = logging.getLogger()
    before = (root.handlers[:], root.level, logging.raiseExceptions, logging.getLogger("pygls").level)
    yield root
    for handler in root.handlers:
        if handler not in before[0]:
            handler.close()
    root.handlers[:], logging.raiseExceptions = before[0], before[2]
    root.setLevel(before[1])
    logging.getLogger("pygls").setLevel(before[3])
    logging.captureWarnings(capture=False)


def test_the_file_is_its_owners_only_and_masks_arguments_and_tracebacks(tmp_path, root_logger):
    path = tmp_path / "logs" / "bridge.log"
    set_up(path, "debug")
    logging.getLogger("any.library").debug("sent %s", b'{"apiKey":"hush-4711"}')
    fault = ValueError({"token": SECRET})
    logging.getLogger("any.library").error("failed", exc_info=fault)
    text = path.read_text("utf-8")
    assert "sent" in text
    assert "ValueError" in text
    assert SECRET not in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_it_goes_where_the_user_said(tmp_path):
    assert log_path(str(tmp_path / "x"), "daemon") == tmp_path / "x"
    assert log_path(None, "daemon").name == "daemon.log"
    assert "wave-bridge" in log_path("", "daemon").parts
