import { memo } from "preact/compat";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Pieces, render } from "../markdown";
import { copy, host, openFile, openUrl } from "../panel";
import type { GrowingText } from "../state/text";
import { text } from "../texts";

/** A growing Markdown text: what is done is drawn once, only the last piece again. */
export function Markdown({ source }: { source: GrowingText }): JSX.Element {
  const state = useMemo(() => ({ pieces: new Pieces() }), [source]);
  const rest = state.pieces.rest(source.read());
  return (
    <div class="markdown" onClick={follow}>
      {state.pieces.done.map((piece, at) => <Piece key={at} source={piece} />)}
      <Piece key="rest" source={rest} />
    </div>
  );
}

const Piece = memo(function Piece({ source }: { source: string }): JSX.Element {
  return <div class="piece" dangerouslySetInnerHTML={{ __html: decorate(render(source)) }} />;
});

/** Give each code block a button that copies it. */
const decorate = (html: string): string =>
  html.replaceAll("<pre>", `<pre tabindex="0"><button type="button" class="copy-code">${text("copy")}</button>`);

function follow(event: MouseEvent): void {
  const target = event.target as HTMLElement;
  if (target.classList.contains("copy-code")) {
    void copy(target.parentElement?.querySelector("code")?.textContent ?? "");
    return;
  }
  const address = target.closest("a")?.getAttribute("href");
  if (!address) return;
  event.preventDefault();
  if (/^(https?|mailto):/i.test(address)) openUrl(address);
  else if (host.editor) openFile(address.replace(/:\d+$/, ""), Number(/:(\d+)$/.exec(address)?.[1] ?? 1));
}
