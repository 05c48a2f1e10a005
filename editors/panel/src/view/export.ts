import { session, title } from "../panel";
import { text } from "../texts";
import { markdownOf } from "./message";

/** Give the conversation to the user as a Markdown file. */
export function exportConversation(): void {
  const messages = session.conversation.order.peek().filter((message) => !message.hidden);
  const body = messages.map((message) => `## ${message.role === "user" ? text("you") : "Wave"}\n\n${markdownOf(message)}`);
  const file = new Blob([`# ${title()}\n\n${body.join("\n\n")}\n`], { type: "text/markdown" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${title().replace(/[^\p{L}\p{N} ._-]/gu, "").trim() || "wave"}.md`;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 1000);
}
