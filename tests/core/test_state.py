"""Routing, approvals, the cache and turns: events in, facts out."""

import json

import msgspec
import pytest

from wave_bridge.core import limits
from wave_bridge.core.agent_api import Initialized
from wave_bridge.core.permissions import Permissions
from wave_bridge.core.router import Router, is_global
from wave_bridge.core.rpc import Event
from wave_bridge.core.session import Session
from wave_bridge.core.turns import Began, Over, Queued, Turn


def event(method, params=None, session="s"):
    params = params or {}
    line = json.dumps({"method": method, "params": params, "sessionId": session}).encode()
    return Event(method, session, json.dumps(params).encode(), line)


class TestRouter:
    def test_events_before_the_session_is_known_come_first_and_in_order(self):
        router = Router()
        early = [event("tasksChange"), event("loadingChange")]
        assert all(router.park(item) for item in early)
        assert router.register("s", "target") == early
        assert router.find("s") == "target"
        assert router.register("s", "target") == []

    def test_events_without_an_id_belong_to_the_session_that_is_being_opened(self):
        router = Router()
        router.open_session()
        servers = event("mcpServersChange", session=None)
        assert router.park(servers)
        assert router.opened() == [servers]
        assert not router.park(servers), "nothing is being opened any more"
        assert router.dropped == 1

    @pytest.mark.req("T6.4")
    def test_an_address_to_sign_in_is_global_even_while_a_session_is_being_opened(self):
        assert is_global(event("authUrl", session=None))
        assert not is_global(event("authUrl", session="s"))
        assert not is_global(event("loadingChange", session=None))
        router = Router()
        router.open_session()
        assert not router.park(event("authUrl", session=None))

    @pytest.mark.req("T6.5")
    def test_a_renamed_session_is_found_under_its_new_id_only(self):
        router = Router()
        router.register("old", "target")
        router.park(event("tasksChange", session="new"))
        assert [item.method for item in router.rekey("old", "new")] == ["tasksChange"]
        assert router.find("new") == "target"
        assert router.find("old") is None
        assert router.rekey("gone", "x") == []

    @pytest.mark.req("T6.6")
    def test_a_destroyed_session_is_forgotten_and_the_others_stay(self):
        router = Router()
        router.register("a", 1)
        router.register("b", 2)
        router.unregister("a")
        router.unregister("a")
        assert (router.find("a"), router.find("b")) == (None, 2)

    def test_parking_is_bounded_and_counts_what_it_refuses(self):
        router = Router()
        for _ in range(limits.PARKED_LINES + 3):
            router.park(event("loadingChange", session="stranger"))
        assert router.dropped == 3
        big = event("x", {"text": "x" * limits.PARKED_BYTES}, session="another")
        assert not router.park(big)


class TestPermissions:
    def test_the_first_answer_wins_and_late_ones_learn_it(self):
        desk = Permissions()
        assert desk.add("1", "s", {"toolName": "Bash"}).context == {"toolName": "Bash"}
        assert desk.add("1", "s", {}) is None
        assert desk.answer("1")[0] == "resolved"
        assert desk.answer("1") == ("alreadyResolved", None)
        assert desk.add("1", "s", {}) is None, "a repeated request of an answered one is not asked again"

    def test_withdrawn_ones_are_expired_and_strangers_unknown(self):
        desk = Permissions()
        desk.add("1", "a", {})
        desk.add("2", "b", {})
        assert [item.request_id for item in desk.withdraw("a")] == ["1"]
        assert desk.answer("1") == ("expired", None)
        assert desk.answer("3") == ("unknown", None)
        assert [item.request_id for item in desk.pending()] == ["2"]

    def test_they_follow_a_renamed_session_in_their_order(self):
        desk = Permissions()
        for number in "123":
            desk.add(number, "a", {})
        desk.rekey("a", "b")
        assert [item.request_id for item in desk.pending("b")] == ["1", "2", "3"]
        assert desk.pending("a") == []

    def test_what_is_remembered_is_bounded(self):
        desk = Permissions()
        for number in range(limits.REMEMBERED_APPROVALS + 1):
            desk.add(str(number), "s", {})
            desk.answer(str(number))
        assert desk.answer("0") == ("unknown", None)
        assert desk.answer("1") == ("alreadyResolved", None)


class TestCache:
    @pytest.fixture
    def session(self):
        session = Session("s", "/w", {})
        session.opened(Initialized("s", "/w/real", "plan", 7))
        return session

    def test_the_answer_to_initialize_fills_it(self, session):
        state = session.state()
        assert (state.workdir, state.permission_mode, state.latest_total_tokens) == ("/w/real", "plan", 7)
        assert not state.busy
        assert session.home == "/w", "a restore must go where the session was made"

    @pytest.mark.req("T8.2", "T8.3", "T8.4", "T8.7", "T8.5")
    @pytest.mark.parametrize(
        ("method", "params", "member", "value"),
        [
            ("tasksChange", {"tasks": [{"id": "1"}]}, "tasks", [{"id": "1"}]),
            ("backgroundTasksChange", {"tasks": [{"id": "t"}]}, "background_tasks", [{"id": "t"}]),
            ("permissionModeChange", {"mode": "acceptEdits"}, "permission_mode", "acceptEdits"),
            ("loadingChange", {"loading": True, "latestTotalTokens": 9}, "latest_total_tokens", 9),
            ("workdirChange", {"workdir": "/elsewhere"}, "workdir", "/elsewhere"),
            ("commandRunningChange", {"running": True}, "command_running", True),
            ("compactionStateChange", {"isCompacting": True}, "compacting", True),
            ("queuedMessagesChange", {"messages": [{"id": "mq-0"}]}, "queue", [{"id": "mq-0"}]),
        ],
    )
    def test_each_fact_has_its_event(self, session, method, params, member, value):
        session.apply(event(method, params))
        assert getattr(session.state(), member) == value

    @pytest.mark.req("T9.5")
    def test_deltas_and_unknown_events_touch_nothing(self, session):
        before = session.state()
        for method in ("assistantContentUpdated", "toolBlockUpdated", "somethingNew", "assistantMessageAdded"):
            assert session.apply(event(method, {"messageId": "m", "chunk": "x"})) == []
        assert session.state() == before

    def test_a_wrong_shape_is_an_error_and_changes_nothing(self, session):
        with pytest.raises(msgspec.ValidationError):
            session.apply(event("loadingChange", {"loading": "yes"}))
        assert not session.busy

    def test_a_mode_that_was_set_to_nothing_is_the_default_one(self, session):
        session.apply(event("permissionModeChange", {}))
        assert session.mode == "default"

    def test_a_crash_leaves_no_busy_flag_but_the_view(self, session):
        session.apply(event("loadingChange", {"loading": True, "latestTotalTokens": 3}))
        session.apply(event("queuedMessagesChange", {"messages": [{"id": "mq-0", "content": "x"}]}))
        session.apply(event("backgroundTasksChange", {"tasks": [{"id": "t", "status": "running"}]}))
        session.crashed("killed")
        state = session.state()
        assert (state.busy, state.loading, state.compacting) == (False, False, False)
        assert state.queue == []
        assert state.background_tasks[0]["status"] == "killed"


def kinds(facts):
    return [(type(fact).__name__, fact.turn.id, getattr(fact, "reason", None)) for fact in facts]


class TestTurns:
    @pytest.fixture
    def session(self):
        return Session("s", "/w", {})

    def send(self, session, turn_id, method="sendMessage"):
        turn = Turn(id=turn_id, method=method, params={"text": turn_id})
        session.turns.send(turn)
        return turn

    def loading(self, session, value):
        return session.apply(event("loadingChange", {"loading": value, "latestTotalTokens": 0}))

    def queue(self, session, *ids):
        return session.apply(event("queuedMessagesChange", {"messages": [{"id": one} for one in ids]}))

    def user(self, session, *, meta=False):
        return session.apply(event("userMessageAdded", {"message": {"isMeta": meta}}))

    def test_an_idle_session_starts_a_turn_and_ends_it_when_idle_again(self, session):
        self.send(session, "a")
        assert kinds(self.user(session)) == [("Began", "a", None)]
        self.loading(session, True)
        assert session.settle() == []
        self.loading(session, False)
        assert kinds(session.settle()) == [("Over", "a", "completed")]
        assert session.turns.find("a").phase == "ended"
        assert session.turns.find("a").params == {}, "what is remembered of an ended turn is small"

    def test_a_hidden_message_begins_nothing(self, session):
        self.send(session, "a")
        assert self.user(session, meta=True) == []

    def test_a_queued_turn_is_told_apart_and_runs_when_its_message_appears(self, session):
        self.send(session, "a")
        self.user(session)
        self.loading(session, True)
        self.send(session, "b")
        (queued,) = self.queue(session, "mq-0")
        assert isinstance(queued, Queued)
        assert queued.turn.queue_id == "mq-0"
        assert self.queue(session) == []
        assert kinds(self.user(session)) == [("Over", "a", "completed"), ("Began", "b", None)]
        for value in (True, False, True):
            self.loading(session, value)
        assert session.settle() == [], "the blip between queued turns is no end"

    def test_two_sends_before_any_event_keep_their_order(self, session):
        self.send(session, "a")
        self.send(session, "b")
        assert kinds(self.user(session)) == [("Began", "a", None)]
        assert [fact.turn.id for fact in self.queue(session, "mq-0")] == ["b"]

    def test_a_background_notification_in_the_queue_is_nobodys_turn(self, session):
        self.send(session, "a")
        facts = session.apply(event("queuedMessagesChange", {"messages": [{"id": "mq-0", "type": "notification"}]}))
        assert facts == []

    def test_an_abort_cancels_what_ran_and_what_was_queued(self, session):
        self.send(session, "a")
        self.user(session)
        self.loading(session, True)
        self.send(session, "b")
        self.queue(session, "mq-0")
        session.turns.cancelling()
        self.queue(session)
        self.loading(session, False)
        assert kinds(session.settle()) == [("Over", "a", "cancelled"), ("Over", "b", "cancelled")]

    def test_a_removed_item_is_cancelled_at_once_and_only_that(self, session):
        self.send(session, "a")
        self.user(session)
        self.send(session, "b")
        self.send(session, "c")
        self.queue(session, "mq-0", "mq-1")
        self.queue(session, "mq-1")
        assert kinds(session.turns.removed("mq-0")) == [("Over", "b", "cancelled")]
        self.queue(session)
        assert kinds(self.user(session)) == [("Over", "a", "completed"), ("Began", "c", None)]

    def test_a_crash_ends_every_turn_and_what_was_queued_waits_as_drafts(self, session):
        self.send(session, "a")
        self.user(session)
        self.loading(session, True)
        self.send(session, "b")
        self.queue(session, "mq-0")
        self.send(session, "unseen")
        facts = session.crashed("gone")
        assert sorted(kinds(facts)) == [("Over", name, "agentCrashed") for name in ("a", "b", "unseen")]
        assert [draft.id for draft in session.state().drafts] == ["b"]
        assert session.state().queue == []
        assert session.take_draft("b").id == "b"
        assert session.take_draft("b") is None
        assert session.drafts == []

    def test_sending_one_now_holds_the_others(self, session):
        self.send(session, "a")
        self.user(session)
        for name in "bcd":
            self.send(session, name)
        self.queue(session, "mq-0", "mq-1", "mq-2")
        assert session.turns.force("mq-1").id == "c"
        self.queue(session)
        facts = self.user(session)
        assert isinstance(facts[0], Over)
        assert facts[-1] == Began(session.turns.find("c"))
        assert [turn.id for turn in session.turns.resend()] == ["b", "d"]
        assert session.turns.force("mq-9") is None

    def test_sending_one_now_that_has_left_the_queue_changes_nothing(self, session):
        """It may have gone while the request waited for its turn; the others still run when the CLI begins them."""
        self.send(session, "a")
        self.user(session)
        self.send(session, "b")
        self.queue(session, "mq-0")
        assert session.turns.force("mq-9") is None
        self.queue(session)
        assert kinds(self.user(session)) == [("Over", "a", "completed"), ("Began", "b", None)]

    def test_the_queue_as_it_is_decides_text_and_order_when_it_is_sent_again(self, session):
        self.send(session, "a")
        self.queue(session, "mq-0")
        edited = Turn(id="queue:mq-0", method="sendMessage", params={"text": "new"}, phase="queued", queue_id="mq-0")
        stranger = Turn(id="queue:mq-1", method="bang", params={}, phase="queued", queue_id="mq-1")
        session.turns.adopt([stranger, edited])
        assert [(turn.id, turn.params) for turn in session.turns.open("queued")] == [
            ("queue:mq-1", {}),
            ("a", {"text": "new"}),
        ]

    def test_a_refused_turn_is_over_once(self, session):
        turn = self.send(session, "a")
        assert kinds(session.turns.failed(turn, "no")) == [("Over", "a", "failed")]
        assert session.turns.failed(turn, "no") == []

    def test_a_turn_that_showed_nothing_has_begun_when_it_is_answered(self, session):
        turn = self.send(session, "a")
        assert kinds(session.turns.answered(turn)) == [("Began", "a", None)]
        assert kinds(session.settle()) == [("Over", "a", "completed")]

    def test_what_is_remembered_is_bounded(self, session):
        for number in range(limits.REMEMBERED_TURNS + 5):
            turn = self.send(session, str(number))
            session.turns.failed(turn, "")
        assert session.turns.find("0") is None
        assert session.turns.find(str(limits.REMEMBERED_TURNS + 4)) is not None
