import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { attempt, connected, dialog, notice, peer, session } from "../panel";
import { text } from "../texts";
import { Composer } from "./composer";
import { Dialogs } from "./dialogs";
import { Find } from "./find";
import { Header } from "./header";
import { HistoryPicker } from "./history";
import { AttachmentDialog, RewindQuestion } from "./message";
import { Announcer, JumpToLatest, Messages } from "./messages";
import { Permission } from "./permission";
import { Drafts, Queue } from "./queue";
import { BackgroundBadge, Tasks } from "./tasks";

export function App(): JSX.Element {
  const asked = session.approvals.value.length > 0;
  return (
    <div class="panel">
      <Header />
      {dialog.value === "history" && <HistoryPicker />}
      <Find />
      <Connection />
      <main class="main">
        {session.conversation.order.value.length ? <Messages /> : <Welcome />}
        <JumpToLatest />
      </main>
      <Notice />
      {session.compacting.value && <p class="quiet" role="status">{text("compacting", session.compactTail.value)}</p>}
      <Tasks />
      <BackgroundBadge />
      <Drafts />
      <Queue />
      <Permission />
      <div hidden={asked}><Composer /></div>
      <Dialogs />
      <RewindQuestion />
      <AttachmentDialog />
      <Announcer />
    </div>
  );
}

function Welcome(): JSX.Element {
  return (
    <div class="welcome">
      <svg class="wave" viewBox="0 0 64 32" aria-hidden="true"><path d="M2 20c10-22 20-22 30-4s20 14 30-6" /></svg>
      <p class="welcome-title">{text("welcome")}</p>
      <p class="quiet">{text("welcomeHint")}</p>
    </div>
  );
}

/** What is wrong between the panel and the agent, and what can be done about it, in place. */
function Connection(): JSX.Element | null {
  const agent = session.agent.value;
  if (!connected.value) return <div class="banner" role="status">{text("disconnected")} <small>{text("disconnectedHint")}</small></div>;
  if (agent?.state === "starting" || agent?.state === "restarting") return <div class="banner" role="status">{text("agentStarting")}</div>;
  if (agent?.state !== "down" && agent?.state !== "degraded") return null;
  return (
    <div class="banner bad" role="alert">
      {text("agentDown", agent.reason ?? "")}
      <button type="button" onClick={() => void attempt(peer.ask("wave/agent/restart", {}))}>{text("restart")}</button>
    </div>
  );
}

const NOTICE_TIME = 8000; // milliseconds

function Notice(): JSX.Element | null {
  const words = notice.value;
  useEffect(() => {
    if (!words) return undefined;
    const timer = setTimeout(() => { notice.value = ""; }, NOTICE_TIME);
    return () => { clearTimeout(timer); };
  }, [words]);
  if (!words) return null;
  return (
    <div class="notice" role="alert">
      {words}
      <button type="button" class="icon-button" aria-label={text("close")} onClick={() => { notice.value = ""; }}>×</button>
    </div>
  );
}
