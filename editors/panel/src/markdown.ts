import DOMPurify from "dompurify";
import hljs from "highlight.js/lib/common";
import MarkdownIt from "markdown-it";

/** Markdown as safe HTML: no HTML of the text's own, no addresses but the web's, no styles (the page's policy has none). */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false, highlight });
markdown.validateLink = (address) => /^(https?:|mailto:|#)/i.test(address.trim()) || /^[\w./@-]+(:\d+)?$/.test(address);
markdown.renderer.rules["image"] = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? "");

const LONGEST_HIGHLIGHTED = 50_000; // characters; longer code stays plain

function highlight(code: string, language: string): string {
  if (code.length > LONGEST_HIGHLIGHTED || !hljs.getLanguage(language)) return "";
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

export function render(source: string): string {
  return DOMPurify.sanitize(markdown.render(disarm(source)), {
    ALLOWED_TAGS: [
      "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "span", "em",
      "strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td",
    ],
    ALLOWED_ATTR: ["href", "class", "start"],
  });
}

/**
 * Bidi controls that reorder what follows, and what can't be seen, shown as what they are; but for the joiners, which
 * scripts and emoji need.
 */
const DECEIVING = new RegExp(
  "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e" +
    "\\u2060-\\u2064\\u2066-\\u2069\\ufeff\\u{e0000}-\\u{e007f}]",
  "gu",
);

export const disarm = (text: string): string =>
  text.replace(DECEIVING, (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);

/** A part of a text that does not keep the whole of it in memory, as a slice does in V8. */
const owned = (part: string): string => part.split("").join("");

/**
 * Cut a growing Markdown text into pieces that will not change any more, and the last one, which may.
 *
 * A cut is at a blank line that is outside a fence and before a line that begins something new; so each piece can be
 * drawn once, whatever the length of the answer.
 */
export class Pieces {
  readonly done: string[] = [];
  private start = 0;
  private scanned = 0;
  private fence = "";
  private blank = false;

  rest(text: string): string {
    for (let end = text.indexOf("\n", this.scanned); end >= 0; end = text.indexOf("\n", this.scanned)) {
      this.line(text, this.scanned, end);
      this.scanned = end + 1;
    }
    return text.slice(this.start);
  }

  private line(text: string, from: number, end: number): void {
    const line = text.slice(from, end);
    if (this.blank && !this.fence && /^\S/.test(line) && !/^([-*+]|\d+[.)])\s/.test(line)) {
      this.done.push(owned(text.slice(this.start, from)));
      this.start = from;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && !this.fence) this.fence = mark;
    else if (mark && mark.startsWith(this.fence) && line.trim() === mark) this.fence = "";
    this.blank = line.trim() === "";
  }
}
