import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { ask, attempt, dialog, ensure, host, input, peer, session } from "../panel";
import { list, object, string, type Wire } from "../state/blocks";
import { disarm } from "../markdown";
import { text, type TextKey } from "../texts";
import { sureToRewind } from "./message";
import { Dialog } from "./parts";
import { BackgroundTasks } from "./tasks";

const close = (): void => { dialog.value = undefined; input.focus(); };

/** The dialog that is open, if any; the history picker has its own place under the head. */
export function Dialogs(): JSX.Element | null {
  switch (dialog.value) {
    case "models": return <Models />;
    case "status": return <Status />;
    case "tasks": return <Dialog title={text("cmd_tasks")} onClose={close}><BackgroundTasks /></Dialog>;
    case "mcp": return <McpServers />;
    case "agents": return <Rows title="agents" fetch={() => ask("wave/config/agents", "configurations")} />;
    case "skills": return <Rows title="skills" fetch={() => ask("wave/config/skills", "skills")} />;
    case "workflows": return <Rows title="workflows" fetch={() => ask("wave/tasks/runs", "runs")} />;
    case "plugins": return <Plugins />;
    case "rewind": return <Rewind />;
    case "prompts": return <Prompts />;
    case "btw": return <Btw />;
    default: return null;
  }
}

/** Something that is fetched when its dialog opens, and again on request; undefined while it is not there. */
function useFetched<T>(fetch: () => Promise<T>): [T | undefined, () => void] {
  const found = useSignal<T | undefined>(undefined);
  const again = (): void => void fetch().then((value) => { found.value = value; });
  useEffect(again, []);
  return [found.value, again];
}

function Empty({ loaded }: { loaded: boolean }): JSX.Element {
  return <p class="quiet" role="status">{text(loaded ? "empty" : "loading")}</p>;
}

function Rows({ title, fetch }: { title: TextKey; fetch: () => Promise<Wire[]> }): JSX.Element {
  const [rows] = useFetched(fetch);
  return (
    <Dialog title={text(title)} onClose={close}>
      {!rows?.length && <Empty loaded={rows !== undefined} />}
      <ul class="list">
        {rows?.map((row, at) => {
          const meta = object(row["meta"]);
          return (
            <li key={at}>
              <strong>{disarm(string(row["name"]) || string(meta["name"]))}</strong>
              <small>{disarm(string(row["description"]) || string(meta["description"]) || string(row["status"]))}</small>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function Models(): JSX.Element {
  const [answer] = useFetched(async () => {
    const sessionId = await attempt(ensure());
    return object(sessionId ? await attempt(peer.ask("wave/models/list", { sessionId })) : {});
  });
  const models = (answer?.["models"] ?? []) as string[];
  const choose = async (model: string): Promise<void> => {
    await attempt(peer.ask("wave/models/set", { sessionId: session.id.peek(), model }));
    close();
  };
  return (
    <Dialog title={text("models")} onClose={close}>
      {!models.length && <Empty loaded={answer !== undefined} />}
      <ul class="list">
        {models.map((model) => (
          <li key={model}>
            <button type="button" class="link" aria-pressed={model === answer?.["currentModel"]} onClick={() => void choose(model)}>{model}</button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Status(): JSX.Element {
  const [daemon] = useFetched(() => attempt(peer.ask("wave/daemon/status", {})));
  const agent = daemon?.agents[0];
  const facts: [string, string][] = [
    ["session", session.id.value], ["folder", session.workdir.value || host.workdir], ["host", host.kind],
    ["agent", `${agent?.status.state ?? ""} ${agent?.source ?? ""}`], ["bridge", daemon?.build ?? ""],
  ];
  return (
    <Dialog title={text("status")} onClose={close}>
      <dl class="members">{facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}=`}>{value || "–"}</dd>])}</dl>
      <div class="buttons"><button type="button" onClick={() => void attempt(peer.ask("wave/agent/restart", {}))}>{text("restart")}</button></div>
    </Dialog>
  );
}

function McpServers(): JSX.Element {
  const [fetched, again] = useFetched(() => ask("wave/mcp/list", "servers"));
  const servers = session.mcp.value.length ? session.mcp.value : fetched;
  const turn = async (name: string, on: boolean): Promise<void> => {
    const params = { sessionId: session.id.peek(), serverName: name };
    await attempt(peer.ask(on ? "wave/mcp/connect" : "wave/mcp/disconnect", params));
    again();
  };
  return (
    <Dialog title={text("mcp")} onClose={close}>
      {!servers?.length && <Empty loaded={servers !== undefined} />}
      <ul class="list">
        {servers?.map((server) => {
          const name = string(server["name"]);
          const on = server["status"] === "connected";
          return (
            <li key={name}>
              <strong>{disarm(name)}</strong>
              <small>{disarm(string(server["status"]))} {disarm(list(server["tools"]).map((tool) => string(tool["name"])).join(", "))} {disarm(string(server["error"]))}</small>
              <button type="button" onClick={() => void turn(name, !on)}>{text(on ? "disconnect" : "connect")}</button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function Plugins(): JSX.Element {
  const [plugins, again] = useFetched(async () =>
    list(object(await attempt(peer.ask("wave/plugins/list", { workdir: host.workdir })))["plugins"]));
  const act = async (verb: "install" | "enable" | "disable" | "uninstall", pluginId: string): Promise<void> => {
    await attempt(peer.ask(`wave/plugins/${verb}`, { pluginId, workdir: host.workdir }));
    again();
  };
  return (
    <Dialog title={text("plugins")} onClose={close}>
      {!plugins?.length && <Empty loaded={plugins !== undefined} />}
      <ul class="list">
        {plugins?.map((plugin) => {
          const id = string(plugin["id"]);
          const verb = plugin["installed"] !== true ? "install" : plugin["enabled"] === true ? "disable" : "enable";
          return (
            <li key={id}>
              <strong>{disarm(string(plugin["name"]) || id)}</strong><small>{disarm(string(plugin["description"]))}</small>
              <button type="button" onClick={() => void act(verb, id)}>{text(verb)}</button>
              {plugin["installed"] === true && <button type="button" onClick={() => void act("uninstall", id)}>{text("remove")}</button>}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function Rewind(): JSX.Element {
  const [points] = useFetched(() => ask("wave/checkpoint/list", "checkpoints"));
  return (
    <Dialog title={text("cmd_rewind")} onClose={close}>
      {!points?.length && <Empty loaded={points !== undefined} />}
      <ul class="list">
        {points?.toReversed().map((point) => (
          <li key={string(point["id"])}>
            <button type="button" class="link" onClick={() => { dialog.value = undefined; sureToRewind.value = string(point["id"]); }}>
              {disarm(string(point["content"]))}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Prompts(): JSX.Element {
  const found = useSignal<Wire[] | undefined>(undefined);
  const search = async (query: string): Promise<void> => {
    const place = { workdir: host.workdir };
    const answer = await attempt(query ? peer.ask("wave/history/search", { query, ...place }) : peer.ask("wave/history/list", place));
    found.value = list(object(answer)["history"]);
  };
  useEffect(() => void search(""), []);
  return (
    <Dialog title={text("promptHistory")} onClose={close}>
      <input class="feedback" aria-label={text("promptHistory")} onInput={(event) => void search(event.currentTarget.value)} />
      {!found.value?.length && <Empty loaded={found.value !== undefined} />}
      <ul class="list">
        {found.value?.map((entry, at) => (
          <li key={at}><button type="button" class="link" onClick={() => { close(); input.setText(string(entry["prompt"])); }}>{disarm(string(entry["prompt"]))}</button></li>
        ))}
      </ul>
    </Dialog>
  );
}

function Btw(): JSX.Element {
  const said = session.btw.value;
  return (
    <Dialog title={text("btw")} onClose={close}>
      <p><strong>{disarm(said?.question ?? "")}</strong></p>
      <p class="prewrap" aria-live="polite">{said?.content ? disarm(said.content) : text("thinking")}</p>
    </Dialog>
  );
}
