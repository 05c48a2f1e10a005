// The list that one writes first: all messages in one array, copied for every chunk; Markdown of what has changed.
import MarkdownIt from "markdown-it";
import { memo, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const markdown = new MarkdownIt();

const text = "An answer of some length. ".repeat(36);
const before = Array.from({ length: window.MESSAGES }, (_, id) => ({ id, role: id % 2 ? "assistant" : "user", text }));

const Message = memo(({ message }) => (
  <article className={message.role} dangerouslySetInnerHTML={{ __html: markdown.render(message.text) }} />
));

function Conversation() {
  const [messages, setMessages] = useState([...before, { id: before.length, role: "assistant", text: "" }]);
  useEffect(() => {
    window.grow = (chunk) =>
      setMessages((known) => known.map((each, at) => (at < known.length - 1 ? each : { ...each, text: each.text + chunk })));
  }, []);
  useEffect(() => {
    document.documentElement.scrollTo(0, document.documentElement.scrollHeight);
  });
  return messages.map((message) => <Message key={message.id} message={message} />);
}

createRoot(document.getElementById("root")).render(<Conversation />);
