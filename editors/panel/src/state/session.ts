import { batch, computed, signal } from "@preact/signals";
import type {
  AgentStatus,
  Approval,
  Draft,
  EventParams,
  SessionOpened,
  SessionState,
  Snapshot,
  StateParams,
  TurnEnded,
} from "../../../vscode-shim/src/generated/api";
import { list, number, object, string, type Wire } from "./blocks";
import { Conversation } from "./conversation";

export interface Queued {
  id: string;
  type: string;
  content: string;
}

export interface Task {
  id: string;
  subject: string;
  status: string;
  activeForm: string;
}

export interface BackgroundTask {
  id: string;
  type: string;
  status: string;
  label: string;
  startTime: number | undefined;
  endTime: number | undefined;
}

/** One session as the panel knows it: the bridge's facts, the CLI's lists, the messages. Free of the DOM. */
export class Session {
  readonly id = signal("");
  readonly workdir = signal("");
  readonly mode = signal("default");
  readonly busy = signal(false);
  readonly compacting = signal(false);
  readonly compactTail = signal("");
  readonly tokens = signal(0);
  readonly title = signal<string | null>(null);
  readonly queue = signal<Queued[]>([]);
  /** What was queued when the CLI ended; sent when the user says so. */
  readonly drafts = signal<Draft[]>([]);
  readonly tasks = signal<Task[]>([]);
  readonly background = signal<BackgroundTask[]>([]);
  readonly approvals = signal<Approval[]>([]);
  readonly turnStartedAt = signal<number | undefined>(undefined);
  readonly ended = signal<TurnEnded | undefined>(undefined);
  readonly agent = signal<AgentStatus | undefined>(undefined);
  readonly btw = signal<{ question: string; thinking: string; content: string } | undefined>(undefined);
  readonly mcp = signal<Wire[]>([]);
  readonly conversation = new Conversation();

  readonly backgroundRuns = computed(() => this.background.value.some((task) => task.status === "running"));
  /** New, history and every other way to exchange the conversation are shut while this is so (S5.6, S5.7). */
  readonly held = computed(() => this.busy.value || this.compacting.value || this.backgroundRuns.value);
  /** The user's title, else the first message cut to 30 characters (S5.1); a compaction does not change it. */
  readonly heading = computed(() => this.title.value ?? (cut(this.firstWords.value) || undefined));
  private readonly firstWords = signal("");
  private epoch = "";
  private seq = 0;

  /** The session ends for the panel: as before the first message. */
  leave(): void {
    batch(() => {
      this.id.value = "";
      this.epoch = "";
      this.title.value = null;
      this.busy.value = this.compacting.value = false;
      this.turnStartedAt.value = undefined;
      this.queue.value = [];
      this.drafts.value = [];
      this.tasks.value = [];
      this.background.value = [];
      this.approvals.value = [];
      this.tokens.value = 0;
      this.firstWords.value = "";
      this.conversation.reset([]);
    });
  }

  opened(opened: SessionOpened | Snapshot): void {
    batch(() => {
      const another = this.id.peek() !== opened.sessionId;
      this.id.value = opened.sessionId;
      this.epoch = opened.epoch;
      this.seq = opened.seq;
      this.approvals.value = opened.approvals;
      this.facts(opened.state);
      this.conversation.reset("messages" in opened ? opened.messages : []);
      const compacted = this.conversation.order.peek()[0]?.blocks.peek()[0]?.type === "compact";
      if (another || !compacted) this.firstWords.value = this.conversation.firstWords();
    });
  }

  /** Take an event; true when something is missing before it and a snapshot is needed. */
  event(params: EventParams): boolean {
    const { method, params: facts, sessionId } = params.event;
    if (sessionId !== this.id.peek() || params.seq <= this.seq) return false;
    const gap = (params.fromSeq ?? params.seq) > this.seq + 1;
    this.seq = params.seq;
    if (!gap) batch(() => { this.apply(string(method), object(facts)); });
    return gap || this.conversation.stale.peek();
  }

  /** Take the bridge's own facts; true when it says that a snapshot is needed. */
  state(params: StateParams): boolean {
    if (params.sessionId !== this.id.peek()) return false;
    batch(() => {
      if (params.title !== undefined) this.title.value = params.title;
      if (params.drafts !== undefined) this.drafts.value = params.drafts;
      if (params.turnStarted !== undefined) this.turnStartedAt.value = Date.now();
      if (params.turnEnded !== undefined) this.ended.value = params.turnEnded;
      if (params.busy !== undefined) {
        this.busy.value = params.busy;
        this.turnStartedAt.value = params.busy ? (this.turnStartedAt.peek() ?? Date.now()) : undefined;
      }
    });
    return params.resync === true || (params.epoch !== undefined && params.epoch !== this.epoch);
  }

  approval(asked: Approval): void {
    if (asked.sessionId !== this.id.peek()) return;
    const others = this.approvals.peek().filter((each) => each.requestId !== asked.requestId);
    this.approvals.value = [...others, asked];
  }

  approvalEnded(requestId: string): void {
    this.approvals.value = this.approvals.peek().filter((each) => each.requestId !== requestId);
  }

  private facts(state: SessionState): void {
    this.workdir.value = state.workdir;
    this.mode.value = state.permissionMode;
    this.busy.value = state.busy;
    this.turnStartedAt.value = state.busy ? Date.now() : undefined;
    this.compacting.value = state.compacting;
    this.tokens.value = state.latestTotalTokens;
    this.title.value = state.title;
    this.queue.value = state.queue.map(queued);
    this.drafts.value = state.drafts;
    this.tasks.value = state.tasks.map(task);
    this.background.value = state.backgroundTasks.map(backgroundTask);
  }

  private apply(method: string, params: Wire): void {
    switch (method) {
      case "loadingChange":
        this.tokens.value = number(params["latestTotalTokens"]) ?? this.tokens.peek();
        return;
      case "queuedMessagesChange":
        this.queue.value = list(params["messages"]).map(queued);
        return;
      case "tasksChange":
        this.tasks.value = list(params["tasks"]).map(task);
        return;
      case "backgroundTasksChange":
        this.background.value = list(params["tasks"]).map(backgroundTask);
        return;
      case "permissionModeChange":
        this.mode.value = string(params["mode"]) || this.mode.peek();
        return;
      case "workdirChange":
        this.workdir.value = string(params["workdir"]) || this.workdir.peek();
        return;
      case "compactionStateChange":
        this.compacting.value = params["isCompacting"] === true;
        this.compactTail.value = "";
        return;
      case "compactionContentUpdate":
        this.compactTail.value = string(params["content"]).slice(-30);
        return;
      case "mcpServersChange":
        this.mcp.value = list(params["servers"]);
        return;
      case "btwContent": {
        const { thinking = "", content = "" } = this.btw.peek() ?? {};
        const said = string(params["content"]);
        const isThinking = params["type"] === "thinking";
        this.btw.value = {
          question: string(params["question"]),
          thinking: isThinking ? said : thinking,
          content: isThinking ? content : said,
        };
        return;
      }
      default:
        this.conversation.apply(method, params);
        this.firstWords.value ||= this.conversation.firstWords();
    }
  }
}

const TITLE_LENGTH = 30;

function cut(words: string): string {
  const letters = Array.from(words.trim());
  return letters.length > TITLE_LENGTH ? `${letters.slice(0, TITLE_LENGTH).join("")}...` : letters.join("");
}

const queued = (wire: Wire): Queued => ({
  id: string(wire["id"]),
  type: string(wire["type"]) || "message",
  content: string(wire["content"]),
});

const task = (wire: Wire): Task => ({
  id: string(wire["id"]),
  subject: string(wire["subject"]),
  status: string(wire["status"]),
  activeForm: string(wire["activeForm"]),
});

const backgroundTask = (wire: Wire): BackgroundTask => ({
  id: string(wire["id"]),
  type: string(wire["type"]),
  status: string(wire["status"]),
  label: string(wire["description"]) || string(wire["command"]),
  startTime: number(wire["startTime"]),
  endTime: number(wire["endTime"]),
});
