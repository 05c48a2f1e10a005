import { signal, type ReadonlySignal } from "@preact/signals";

/**
 * Text that only grows. Appending costs the same however long it is: the pieces are joined when somebody reads.
 *
 * `version` changes with each piece, so that a view can follow it without holding the text.
 */
export class GrowingText {
  private pieces: string[];
  private readonly changes = signal(0);

  constructor(text = "") {
    this.pieces = text ? [text] : [];
  }

  get version(): ReadonlySignal<number> {
    return this.changes;
  }

  append(piece: string): void {
    if (!piece) return;
    this.pieces.push(piece);
    this.changes.value++;
  }

  replace(text: string): void {
    this.pieces = text ? [text] : [];
    this.changes.value++;
  }

  /** The whole text as it is now; subscribes whoever reads it within a computation. */
  read(): string {
    void this.changes.value;
    return this.peek();
  }

  peek(): string {
    if (this.pieces.length > 1) this.pieces = [this.pieces.join("")];
    return this.pieces[0] ?? "";
  }
}
