import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../texts";

interface IconProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: ComponentChildren;
  pressed?: boolean;
}

/** A button that shows an icon and says its name. */
export function IconButton({ label, children, onClick, disabled, pressed }: IconProps): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  name?: string;
}

/** A modal dialog: the platform's own keeps the focus in, gives it back, and closes on Esc; so does its backdrop. */
export function Dialog({ title, onClose, children, name }: DialogProps): JSX.Element {
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = place.current;
    dialog?.showModal();
    return () => {
      dialog?.close(); // while it is open the rest of the page takes no focus
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      class={`dialog ${name ?? ""}`}
      aria-label={title}
      onCancel={(event) => { event.preventDefault(); onClose(); }}
      onClick={(event) => { if (event.target === place.current) onClose(); }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label={text("close")} onClick={onClose}>×</button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
