import { useSignal } from "@preact/signals";
import { Check, Circle, CircleDot } from "lucide-preact";
import type { JSX } from "preact";
import { attempt, dialog, peer, session } from "../panel";
import { object, string } from "../state/blocks";
import { disarm } from "../markdown";
import { text } from "../texts";

/** The agent's to-do list; it goes when all is done. */
export function Tasks(): JSX.Element | null {
  const tasks = session.tasks.value.filter((task) => task.status !== "deleted");
  const done = tasks.filter((task) => task.status === "completed").length;
  if (!tasks.length || done === tasks.length) return null;
  return (
    <details class="tasks" open>
      <summary>{text("tasks", `${done}/${tasks.length}`)}</summary>
      <ul>
        {tasks.map((task) => (
          <li key={task.id} class={task.status}>
            {task.status === "completed" ? <Check size={14} /> : task.status === "in_progress" ? <CircleDot size={14} /> : <Circle size={14} />}
            {disarm(task.status === "in_progress" && task.activeForm ? task.activeForm : task.subject)}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Says that something runs in the background, and opens the list of it. */
export function BackgroundBadge(): JSX.Element | null {
  const running = session.background.value.filter((task) => task.status === "running").length;
  if (!running) return null;
  return <button type="button" class="link background" onClick={() => { dialog.value = "tasks"; }}>{text("backgroundTasks", running)}</button>;
}

export function BackgroundTasks(): JSX.Element {
  const output = useSignal<{ id: string; text: string } | undefined>(undefined);
  const ids = (taskId: string): { sessionId: string; taskId: string } => ({ sessionId: session.id.peek(), taskId });
  const look = async (id: string): Promise<void> => {
    const said = object(object(await attempt(peer.ask("wave/tasks/output", ids(id))))["output"]);
    output.value = { id, text: `${string(said["stdout"])}${string(said["stderr"])}` };
  };
  if (!session.background.value.length) return <p class="quiet" role="status">{text("empty")}</p>;
  return (
    <ul class="list">
      {session.background.value.map((task) => (
        <li key={task.id}>
          <strong>{disarm(task.label || task.id)}</strong><small>{task.type} · {task.status}</small>
          <button type="button" onClick={() => void look(task.id)}>{text("output")}</button>
          {task.status === "running" && <button type="button" onClick={() => void attempt(peer.ask("wave/tasks/stop", ids(task.id)))}>{text("stop")}</button>}
          {output.value?.id === task.id && <pre class="output" tabIndex={0}>{disarm(output.value.text)}</pre>}
        </li>
      ))}
    </ul>
  );
}
