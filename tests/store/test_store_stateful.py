"""Any sequence of what two owners may do to a session, crashes at any byte included, keeps what was acknowledged."""

import shutil
import tempfile
from pathlib import Path

import pytest
import session_maker as make
import session_reader as reader
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from wave_bridge.errors import SessionUnreadable
from wave_bridge.store import listing, transcript, writing

OWNERS = st.sampled_from([0, 1])
TITLES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs"]), min_size=1, max_size=12)


class Session(RuleBasedStateMachine):
    """The model: ids in thread order and the title that holds. The file is judged by an independent reader as well."""

    @initialize()
    def begin(self):
        self.base = Path(tempfile.mkdtemp())
        self.owners = [make.begin(self.base), make.begin(self.base)]
        self.path = self.owners[0].path
        self.count = 0
        self.thread = []
        self.title = None
        self.owners[0].append(self.new())
        self.head = self.path.read_bytes().split(b"\n")[0] + b"\n"

    def teardown(self):
        shutil.rmtree(self.base)

    def new(self, **members):
        self.count += 1
        self.thread.append(f"msg-{self.count}")
        return make.body(str(self.count), "text \u2028 é", self.count, **members)

    @rule(owner=OWNERS, count=st.integers(1, 3), meta=st.booleans())
    def append(self, owner, count, meta):
        self.owners[owner].append(*[self.new(isMeta=meta) for _ in range(count)])

    @rule(owner=OWNERS, title=TITLES)
    def rename(self, owner, title):
        stored = self.owners[owner].rename(title)
        self.title = stored or self.title

    @rule(title=TITLES)
    def rename_from_a_list(self, title):
        self.title = writing.rename(self.path, title) or self.title

    @rule(owner=OWNERS, kept=st.integers(0, 3))
    def compact(self, owner, kept):
        """The last messages are appended again behind the summary, with the same ids."""
        bodies = {each["id"]: each for each in reader.messages(self.path.read_bytes())}
        again = self.thread[len(self.thread) - min(kept, len(self.thread)) :]
        summary = self.new() | {"blocks": [{"type": "compact", "content": "s"}]}
        self.owners[owner].append(summary, *[bodies[each] for each in again])
        self.thread = [each for each in self.thread if each not in again] + again
        self.exit(owner)

    @rule(owner=OWNERS, data=st.data())
    def rewind(self, owner, data):
        if not self.thread:
            return
        at = data.draw(st.integers(0, len(self.thread) - 1))
        dropped = self.owners[owner].rewind(self.thread[at])
        assert [each["id"] for each in dropped] == self.thread[at:]
        self.thread = self.thread[:at]
        self.title = self.title or self.owners[owner].title

    @rule(owner=OWNERS)
    def exit(self, owner):
        self.title = self.title or self.owners[owner].title
        self.owners[owner].reappend_title()
        assert self.owners[owner].title == self.title

    @rule(owner=OWNERS)
    def restore(self, owner):
        try:
            self.owners[owner], loaded = writing.restore(self.path)
        except SessionUnreadable:
            assert transcript.load(self.path).damage
        else:
            assert [each["id"] for each in loaded.thread] == self.thread
            assert self.owners[owner].title == self.title

    @rule(owner=OWNERS, part=st.floats(0, 1, exclude_max=True))
    def crash_while_appending(self, owner, part):
        """A part of a line is there, nothing was acknowledged, the process has forgotten everything."""
        torn = make.message("torn", "never acknowledged")
        with self.path.open("ab") as file:
            file.write(torn[: int(part * (len(torn) - 1))])
        self.owners[owner] = writing.Transcript(self.path, None, exists=True)

    @rule(part=st.floats(0, 1))
    def lose_the_tail(self, part):
        """A power cut takes any number of bytes from the end, after the header; what is whole before them counts."""
        data = self.path.read_bytes()
        left = data[: len(self.head) + int(part * (len(data) - len(self.head)))]
        self.path.write_bytes(left)
        self.thread = reader.thread_ids(left)
        self.title = reader.title(left)

    @invariant()
    def holds(self):
        if not hasattr(self, "head"):
            return
        data = self.path.read_bytes()
        loaded = transcript.load(self.path)
        assert data.startswith(self.head)
        assert data.count(b'"type":"metadata"') == 1
        assert [each["id"] for each in loaded.thread] == self.thread == reader.thread_ids(data)
        assert loaded.title == reader.title(data) == self.title
        (row,) = listing.list_workdirs(self.base, ["/w"], make.NOW).sessions
        assert row.custom_title == self.title
        if not loaded.damage:
            reader.check(data if data.endswith(b"\n") else data + b"\n")
        assert transcript.read(transcript.repaired(data)).damage == []


TestSession = pytest.mark.req("S12.1", "S12.5", "SB12", "SB15")(Session.TestCase)
TestSession.settings = settings(max_examples=60, stateful_step_count=25)
