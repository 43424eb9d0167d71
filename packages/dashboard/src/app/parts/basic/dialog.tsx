import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { layers } from "../../data/calls/said.ts";
import { t } from "../../texts/words/frame.ts";
import { Field, TextInput } from "../forms/fields.tsx";
import { Button } from "./button.tsx";
import { Toasts } from "./toast.tsx";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** The dialog shows refusals itself, beside the button that was pressed. */
  readonly tellsRefusals?: boolean;
  /** True when closing would lose something, so that a click outside, which may be a slip, does not close the dialog. */
  readonly holds?: () => boolean;
  readonly children: ComponentChildren;
}

/** The element to focus: the first field, else the first button of the footer, which changes nothing. */
const FIRST = ":is(input, textarea, select):enabled:not([hidden]), footer .btn";

/** A modal dialog. Esc and a click outside close it, and the focus returns to where it was. */
export function Dialog({ title, onClose, tellsRefusals = false, holds, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Runs before the browser paints, so that no keys reach the page below.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>(FIRST)?.focus();
    layers.value = [...layers.peek(), id];
    return () => {
      layers.value = layers.peek().filter((layer) => layer !== id);
      // Closes first, because nothing below an open dialog can take the focus.
      dialog?.close();
      (opener as HTMLElement | null)?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current && !holds?.()) onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="bare" icon="x" label={t("close")} onClick={onClose} />
      </header>
      {children}
      <Toasts layer={id} tellsRefusals={tellsRefusals} />
    </dialog>
  );
}

export interface Question {
  readonly title: string;
  /** Names what will be destroyed, and what that means. */
  readonly text: ComponentChildren;
  /** The verb on the confirming button. */
  readonly verb: string;
  /** Label of the button that changes nothing, where "Cancel" would read like the verb. */
  readonly keep?: string;
  /** Must be typed first. Only for servers, users, rotation, import. */
  readonly typed?: string;
  readonly isDanger?: boolean;
}

interface Asked extends Question {
  answer(isYes: boolean): void;
}

const asked = signal<Asked | undefined>(undefined);

/** Asks before something that cannot be undone: `if (await confirm({…})) await act(…)`. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.peek()?.answer(false);
    const answer = (isYes: boolean): void => {
      asked.value = undefined;
      resolve(isYes);
    };
    asked.value = { ...question, answer };
  });

/** Renders the open confirmation; part of the frame. */
export function Confirmations() {
  const question = asked.value;
  return question ? <Confirmation key={question.title} {...question} /> : null;
}

function Confirmation({ title, text, verb, keep, typed, isDanger = true, answer }: Asked) {
  const [entered, setEntered] = useState("");
  const isReady = typed === undefined || entered === typed;
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) answer(true);
        }}
      >
        <div class="body">{text}</div>
        {typed !== undefined && (
          <div class="body">
            <Field label={t("typeToConfirm", { name: typed })}>
              {(id) => <TextInput id={id} value={entered} onInput={setEntered} />}
            </Field>
          </div>
        )}
        <footer>
          <Button onClick={() => answer(false)}>{keep ?? t("cancel")}</Button>
          <Button type="submit" kind={isDanger ? "danger" : "primary"} isDisabled={!isReady}>
            {verb}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
