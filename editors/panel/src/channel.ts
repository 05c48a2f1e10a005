/** What carries messages between this page and its host, one JSON-RPC message at a time. */
export interface Channel {
  post(message: object): void;
}

export interface HostFacts {
  kind: "browser" | "vscode" | "jetbrains";
  panelId: string;
  placement: string;
  workdir: string;
  locale: "zh-CN" | "en";
  editor: boolean;
  sessionId?: string;
  channel?: string;
  reload?: unknown;
}

type Receive = (message: unknown) => void;
type Open = (open: boolean) => void;

interface Page extends Window {
  acquireVsCodeApi?: () => { postMessage(message: object): void };
  __wavePost?: (text: string) => void;
  __waveOutbox?: string[];
  __waveReceive?: (text: string) => void;
}

export function hostFacts(): HostFacts {
  const told = document.querySelector<HTMLMetaElement>('meta[name="wave-host"]')?.content ?? "{}";
  const facts = JSON.parse(told) as Partial<HostFacts>;
  return {
    kind: "browser", panelId: "panel", placement: "window", workdir: "", locale: "zh-CN", editor: false, ...facts,
  };
}

/** Open the channel of the host that this page is in; `open` hears when messages get through, and when not any more. */
export function connect(host: HostFacts, receive: Receive, open: Open): Channel {
  const page = window as Page;
  switch (host.kind) {
    case "vscode": {
      const api = page.acquireVsCodeApi?.();
      window.addEventListener("message", (event) => { receive(event.data); });
      queueMicrotask(() => { open(true); });
      return { post: (message) => api?.postMessage(message) };
    }
    case "jetbrains":
      page.__waveReceive = (text) => { receive(JSON.parse(text)); };
      queueMicrotask(() => { open(true); });
      return {
        post(message) {
          const text = JSON.stringify(message);
          if (page.__wavePost) page.__wavePost(text);
          else (page.__waveOutbox ??= []).push(text);
        },
      };
    case "browser":
      return webSocket(new URL(host.channel ?? "channel", location.href), receive, open);
  }
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;

/** A WebSocket that comes back when it is lost. What is posted while it is away is dropped: its asker is told. */
function webSocket(address: URL, receive: Receive, open: Open): Channel {
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  let socket: WebSocket;
  let pause = FIRST_PAUSE;
  const dial = (): void => {
    socket = new WebSocket(address);
    socket.onopen = () => { pause = FIRST_PAUSE; open(true); };
    socket.onmessage = (event) => { receive(JSON.parse(String(event.data))); };
    socket.onclose = () => {
      open(false);
      setTimeout(dial, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };
  };
  dial();
  return { post: (message) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); } };
}
