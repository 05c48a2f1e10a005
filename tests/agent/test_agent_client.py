"""The client's border: lines to and from a real process."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time

import msgspec
import pytest
from agent_fakes import QUICK, alive, do, fake, heard, running

from wave_bridge.agent.process import AgentCommand
from wave_bridge.core.jsonl import LineSplitter
from wave_bridge.core.limits import GARBAGE_SAMPLE, REMEMBERED_GARBAGE, STDERR_SHOWN
from wave_bridge.errors import AgentCrashed, AgentError, AgentTimeout, AgentUnavailable, Overloaded


@pytest.mark.req("T5.1")
async def test_a_request_is_one_line_with_increasing_ids():
    async with running(fake()) as (client, _):
        first = client.request("getMcpServers", {"text": "a\u2028b\r\nc"}, "session")
        second = client.request("listDaemonSessions")
        line = json.loads(await first)["line"]
        assert line.endswith("\n")
        assert line.count("\n") == 1
        assert "\u2028" not in line
        assert heard(await first) == {
            "id": 1, "method": "getMcpServers", "params": {"text": "a\u2028b\r\nc"}, "sessionId": "session",
        }  # fmt: skip
        assert heard(await second) == {"id": 2, "method": "listDaemonSessions"}


@pytest.mark.req("T5.2", "T6.2")
async def test_answers_find_their_callers_whatever_their_order():
    async with running(fake()) as (client, notebook):
        held = client.request("sendMessage", do(), "a")
        other = client.request("sendMessage", do(["raw", '{"id":2,"result":"two"}\n{"id":1,"result":"one"}\n']), "b")
        assert await other == b'"two"'
        assert await held == b'"one"'
        assert not notebook.of("event")


@pytest.mark.req("T5.2")
@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32601, "message": "Method not found"}, -32601, "Method not found"),
        ({"code": "ERR_INVALID_ARG_TYPE", "message": "no command"}, "ERR_INVALID_ARG_TYPE", "no command"),
        ({}, None, "None"),
        ("plain text", None, "plain text"),
    ],
)
async def test_an_error_rejects_and_its_code_may_be_anything(error, code, message):
    async with running(fake()) as (client, _):
        with pytest.raises(AgentError) as caught:
            await client.request("sendMessage", do(["refuse", error]), "s")
        assert caught.value.data["agentCode"] == code
        assert caught.value.message == message


@pytest.mark.req("T5.3")
async def test_a_line_with_a_method_and_no_id_is_an_event():
    async with running(fake()) as (client, notebook):
        await client.request("sendMessage", do(["notify", "loadingChange", {"loading": True}, "s"], ["answer", 0]), "s")
        [event] = notebook.of("event")
        assert (event.method, event.session_id) == ("loadingChange", "s")
        assert json.loads(bytes(event.params)) == {"loading": True}


@pytest.mark.req("T5.4", "T5.5")
async def test_what_is_no_message_is_passed_over_and_counted():
    junk = ["Restoring session: 1", "{", "null", "5", '"x"', "[1]", "[]", "{}", "true", '{"id":77,"result":1}']
    async with running(fake()) as (client, notebook):
        verbs = [["raw", "\n\r\n   \n" + "".join(line + "\n" for line in junk)], ["hex", "ff0a"], ["answer", "fine"]]
        assert await client.request("sendMessage", do(*verbs), "s") == b'"fine"'
        assert [sample.start for sample in notebook.garbage.samples] == [*junk, "\ufffd"]
        assert notebook.garbage.count == len(junk) + 1
        assert not notebook.of("event")


async def test_samples_of_junk_are_few_and_short():
    async with running(fake()) as (client, notebook):
        await client.request("sendMessage", do(["raw", ("z" * 1000 + "\n") * 100], ["answer", 0]), "s")
        assert notebook.garbage.count == 100
        assert len(notebook.garbage.samples) == REMEMBERED_GARBAGE
        assert {len(sample.start) for sample in notebook.garbage.samples} == {GARBAGE_SAMPLE}


@pytest.mark.req("T5.6")
async def test_a_notification_is_one_line_without_id_and_awaits_nothing():
    async with running(fake()) as (client, notebook):
        client.notify("permissionResponse", {"requestId": "perm_1"}, "s")
        event = await notebook.until("event")
        line = json.loads(bytes(event.params))["heard"]
        assert json.loads(line) == {"method": "permissionResponse", "params": {"requestId": "perm_1"}, "sessionId": "s"}
        assert line.count("\n") == 1


async def test_replies_and_events_come_in_pipe_order():
    """`on_reply` runs while its line is processed: before the events that follow it in the same read."""
    verbs = [["notify", "a", {}, "s"], ["answer", 1], ["notify", "b", {}, "s"]]
    async with running(fake()) as (client, notebook):
        client.call("sendMessage", do(*verbs), "s", notebook.write("reply"))
        await notebook.until("event", lambda event: event.method == "b")
        order = [value if kind == "reply" else value.method for kind, value in notebook.log]
        assert order == ["a", b"1", "b"]


async def test_a_consumers_fault_costs_nobody_a_line():
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context["exception"]))
    async with running(fake()) as (client, notebook):

        def faulty(_):
            raise KeyError("consumer")

        client.call("sendMessage", do(["answer", 1], ["notify", "after", {}, "s"]), "s", faulty)
        assert (await notebook.until("event")).method == "after"
        assert [type(fault) for fault in faults] == [KeyError]


async def test_a_consumers_fault_at_the_end_costs_nobody_an_answer():
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context["exception"]))
    async with running(fake()) as (client, notebook):

        def faulty(_):
            raise KeyError("consumer")

        client.call("sendMessage", do(), "s", faulty)
        client.call("sendMessage", do(["exit", 0]), "s", notebook.write("reply"))
        await notebook.until("ended")
        assert len(notebook.of("reply")) == 1
        assert [type(fault) for fault in faults] == [KeyError]


async def test_lines_cut_at_every_byte_are_whole():
    text = '{"method":"x","params":{"t":"é漢\U0001f600\u2028"}}\n' * 20
    async with running(fake()) as (client, notebook):
        await client.request("sendMessage", do(["dribble", text], ["answer", 0]), "s")
        assert [event.line for event in notebook.of("event")] == [line.encode() for line in text[:-1].split("\n")]


async def test_a_line_of_16_mb_passes_both_ways():
    big = "A" * (16 << 20)
    async with running(fake()) as (client, _):
        result = await client.request("getMcpServers", {"text": big}, "s")
        assert heard(result)["params"] == {"text": big}


async def test_what_is_over_the_maximum_is_passed_over_and_the_next_is_unharmed(monkeypatch):
    monkeypatch.setattr("wave_bridge.agent.client.LineSplitter", lambda: LineSplitter(1 << 20))
    async with running(fake()) as (client, notebook):
        await client.request("sendMessage", do(["raw", "y" * (3 << 20) + "\n"], ["answer", "next"]), "s")
        assert [sample.size for sample in notebook.of("garbage")] == [3 << 20]


async def test_a_method_has_a_time_limit_and_a_late_answer_does_no_harm():
    async with running(fake()) as (client, notebook):
        late = '{"id":1,"result":"late"}\n'
        with pytest.raises(AgentTimeout):
            await client.request("sendMessage", do(), "s", timeout=0.05)
        assert await client.request("sendMessage", do(["raw", late], ["answer", "fine"]), "s") == b'"fine"'
        assert notebook.garbage.count == 1


async def test_time_limits_come_from_the_table(monkeypatch):
    from wave_bridge.core.agent_api import REQUESTS, RequestSpec

    monkeypatch.setitem(REQUESTS, "getMcpServers", RequestSpec(timeout=0.05))
    async with running(fake("--mute")) as (client, _):
        endless = client.request("sendMessage", {}, "s")
        with pytest.raises(AgentTimeout, match="getMcpServers"):
            await client.request("getMcpServers", {}, "s")
        assert not endless.done()
        endless.cancel()


async def test_sessions_are_opened_one_at_a_time():
    """Early events carry no session id: the second request must not be written before the first is answered."""
    async with running(fake()) as (client, notebook):
        sent = notebook.write("sent")
        opened = [
            client.initialize({"tag": tag, "takes": 0.02}, on_sent=lambda tag=tag: sent(tag)) for tag in ("a", "b", "c")
        ]
        lookup = client.request("getMcpServers", {}, "s")
        assert notebook.of("sent") == ["a"]
        await lookup
        assert [(await one).session_id for one in opened] == ["a", "b", "c"]
        early = [json.loads(bytes(value.params))["of"] if kind == "event" else value for kind, value in notebook.log]
        assert early == ["a", "a", "b", "b", "c", "c"]


async def test_a_session_that_opens_too_slowly_does_not_hold_up_the_next():
    async with running(fake("--mute")) as (client, notebook):
        client.call("initialize", {}, None, notebook.write("first"), timeout=0.05)
        client.call("updateConfig", {}, "s", notebook.write("second"), timeout=0.05)
        assert isinstance(await notebook.until("first"), AgentTimeout)
        assert isinstance(await notebook.until("second"), AgentTimeout)


async def test_an_answer_to_initialize_of_another_shape_is_an_error():
    async with running(fake()) as (client, _):
        with pytest.raises(AgentError, match="something else"):
            await client.initialize({"tag": 5})


async def test_a_request_that_was_given_up_is_harmless():
    async with running(fake()) as (client, _):
        given_up = client.request("sendMessage", do(["sleep", 0.02], ["answer", 1]), "s")
        given_up.cancel()
        await client.request("getMcpServers", {}, "s")


@pytest.mark.req("T7.1")
@pytest.mark.parametrize(
    ("verb", "code", "signal_name"),
    [
        (["exit", 0], 0, None),
        (["exit", 7], 7, None),
        (["kill", int(signal.SIGKILL)], None, "SIGKILL"),
        (["kill", int(signal.SIGTERM)], None, "SIGTERM"),
    ],
    ids=["exit 0", "exit 7", "kill -9", "SIGTERM"],
)
async def test_every_pending_request_fails_with_what_is_known_of_the_end(verb, code, signal_name):
    async with running(fake()) as (client, notebook):
        pending = [client.request("sendMessage", do(), str(number)) for number in range(5)]
        opening = [client.initialize({"takes": 0}) for _ in range(3)]
        verbs = do(["stderr", "6c61737420776f7264730a"], verb)
        client.call("sendMessage", verbs, "s", notebook.write("reply"))
        ended = await notebook.until("ended")
        for future in (*pending, *opening[1:]):
            with pytest.raises(AgentCrashed) as caught:
                await future
            assert caught.value.data == {
                "exitCode": code, "signal": signal_name, "stderr": "last words\n", "generation": 1,
            }  # fmt: skip
        assert (ended.reason, ended.exit_code, ended.signal) == ("exited", code, signal_name)
        kinds = [kind for kind, _ in notebook.log if kind in {"reply", "ended"}]
        assert kinds == ["reply", "ended"]
        opening[0].cancel()


async def test_errors_carry_little_of_stderr():
    text = (b"0123456789abcde\n" * 4096).hex()
    async with running(fake()) as (client, notebook):
        with pytest.raises(AgentCrashed) as caught:
            await client.request("sendMessage", do(["stderr", text], ["exit", 1]), "s")
        assert len(caught.value.data["stderr"]) == STDERR_SHOWN
        assert len(msgspec.json.encode(caught.value.to_wire())) < 2 * STDERR_SHOWN
        assert len((await notebook.until("ended")).stderr) > STDERR_SHOWN


@pytest.mark.req("T7.2")
async def test_after_the_end_requests_are_refused_at_once():
    async with running(fake()) as (client, notebook):
        client.call("sendMessage", do(["exit", 1]), "s", notebook.write("reply"))
        await notebook.until("ended")
        client.call("getMcpServers", {}, "s", notebook.write("refused"))
        assert [type(error) for error in notebook.of("refused")] == [AgentUnavailable]
        with pytest.raises(AgentUnavailable):
            client.notify("permissionResponse", {})


@pytest.mark.req("T7.2")
async def test_once_it_is_being_stopped_nothing_more_is_written(tmp_path):
    """What a real process reads on stdin ends where `shut` was called."""
    copy = tmp_path / "stdin"
    command = AgentCommand(("/bin/sh", "-c", f"cat > {copy}"))
    async with running(command) as (client, notebook):
        client.call("getMcpServers", {}, "before", notebook.write("reply"))
        client.shut("closed")
        client.call("getMcpServers", {}, "after", notebook.write("refused"))
        assert [type(error) for error in notebook.of("refused")] == [AgentUnavailable]
        await client.gone()
        assert [type(error) for error in notebook.of("reply")] == [AgentUnavailable]
        assert [json.loads(line)["sessionId"] for line in copy.read_text().splitlines()] == ["before"]


async def test_answers_written_just_before_the_end_count():
    """The pipe is read to its end before anything is failed."""
    script = 'read line; printf \'{"method":"x"}\\n{"id":1,"result":"there"}\''  # not even a newline
    for _ in range(100):
        async with running(AgentCommand(("/bin/sh", "-c", script))) as (client, notebook):
            assert await client.request("sendMessage", {}, "s") == b'"there"'
            assert [event.method for event in notebook.of("event")] == ["x"]


async def test_answers_count_when_the_exit_is_seen_first():
    """A loop that was busy learns of the exit before it has read what the CLI wrote."""
    script = 'read line; printf \'{"id":1,"result":"there"}\n\''
    async with running(AgentCommand(("/bin/sh", "-c", script))) as (client, _):
        answer = client.request("sendMessage", {}, "s")
        deadline = time.monotonic() + 5
        while alive(client.pid) and time.monotonic() < deadline:
            time.sleep(0.001)
        assert await answer == b'"there"'


async def test_a_cli_that_does_not_read_costs_bounded_memory(monkeypatch):
    monkeypatch.setattr("wave_bridge.agent.client.STDIN_BUFFER", 1 << 20)
    sleeper = AgentCommand((sys.executable, "-SEs", "-c", "import time; time.sleep(60)"))
    async with running(sleeper, QUICK) as (client, notebook):
        text = "A" * (1 << 20)
        for _ in range(4):
            client.call("sendMessage", {"text": text}, "s", notebook.write("reply"))
        assert [type(error) for error in notebook.of("reply")] == [Overloaded, Overloaded]
