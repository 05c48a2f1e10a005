"""With WAVE_BASE_URL and WAVE_API_KEY the answers come from an OpenAI-compatible endpoint, over a real connection."""

from __future__ import annotations

import pytest
from cli_client import scripted
from fake_model import FakeModel


@pytest.fixture
def model():
    server = FakeModel()
    yield server
    server.stop()


@pytest.fixture
async def cli(start, model):
    return await start(WAVE_BASE_URL=model.url, WAVE_API_KEY="secret", WAVE_MODEL="m1")


@pytest.fixture
async def session(cli, start):
    return await cli.session(str(start.workdir))


def said(cli, session, method="assistantContentUpdated"):
    return "".join(event["params"]["chunk"] for event in cli.events(session, method))


async def test_reasoning_and_text_are_streamed(cli, session, model):
    await cli.call("sendMessage", {"text": scripted({"reasoning": "hm", "text": "fourty-two", "chunks": 5})}, session)
    assert said(cli, session) == "fourty-two"
    assert said(cli, session, "assistantReasoningUpdated") == "hm"
    assert len(cli.events(session, "assistantContentUpdated")) == 6
    request = model.requests[0]
    assert (request["model"], request["stream"]) == ("m1", True)
    assert request["messages"][0]["role"] == "user"
    headers = {name.lower(): value for name, value in model.headers[0].items()}
    assert headers["authorization"] == "Bearer secret"
    assert cli.events(session, "loadingChange")[-1]["params"]["latestTotalTokens"] == 120


async def test_the_conversation_is_sent_along(cli, session, model):
    for text in ("one", "two"):
        await cli.call("sendMessage", {"text": scripted({"text": f"answer {text}"}, text=text)}, session)
    roles = [message["role"] for message in model.requests[1]["messages"]]
    assert roles == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    ("directive", "error"),
    [
        ({"status": 400, "body": {"error": "bad"}}, 'HTTP 400 Bad Request: {"error": "bad"}'),
        ({"status": 401, "body": "no"}, 'HTTP 401 Unauthorized: "no"'),
    ],
)
async def test_a_refusal_is_an_error_block(cli, session, directive, error):
    await cli.call("sendMessage", {"text": scripted(directive)}, session)
    assert cli.events(session, "errorBlockAdded")[0]["params"]["error"] == error


async def test_a_connection_that_breaks_ends_the_answer(cli, session):
    await cli.call("sendMessage", {"text": scripted({"text": "abcdef", "chunks": 6, "drop": True})}, session)
    assert said(cli, session) == "abc"
    assert not cli.events(session, "errorBlockAdded")


async def test_an_abort_ends_the_stream(cli, session):
    request = cli.send("sendMessage", {"text": scripted({"text": "x" * 50, "chunks": 50, "delay": 0.1})}, session)
    await cli.wait("assistantContentUpdated")
    await cli.call("abortMessage", None, session)
    await cli.answer(request)
    assert cli.events(session, "errorBlockAdded")[0]["params"]["error"] == "Request was aborted"


async def test_without_a_model_the_turn_says_what_is_missing(start, model):
    cli = await start(WAVE_BASE_URL=model.url, WAVE_API_KEY="k")
    session = await cli.session(str(start.workdir))
    await cli.call("sendMessage", {"text": "hello"}, session)
    assert "requires model" in cli.events(session, "errorBlockAdded")[0]["params"]["error"]
    assert model.requests == []


async def test_parameters_win_over_the_environment(start, model):
    cli = await start(WAVE_BASE_URL="http://127.0.0.1:9/v1", WAVE_API_KEY="k", WAVE_MODEL="env")
    given = {"baseURL": model.url, "apiKey": "p", "model": "param", "defaultHeaders": {"x-team": "blue"}}
    session = await cli.session(str(start.workdir), **given)
    await cli.call("sendMessage", {"text": scripted({"text": "ok"})}, session)
    headers = {name.lower(): value for name, value in model.headers[0].items()}
    assert (model.requests[0]["model"], headers["authorization"], headers["x-team"]) == ("param", "Bearer p", "blue")
