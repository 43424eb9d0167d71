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
  /** Tells refusals by itself, beside the button that was pressed. */
  readonly tellsRefusals?: boolean;
  /** True once a click beside the dialog, which may be a slip, would lose something. */
  readonly holds?: () => boolean;
  readonly children: ComponentChildren;
}

/** The first field, else the first button below: the one that changes nothing. */
const FIRST = ":is(input, textarea, select):enabled:not([hidden]), footer .btn";

/** Lies over the page; Esc and a click beside it close it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, tellsRefusals = false, holds, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything is painted: keys pressed at once must not reach the page below.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>(FIRST)?.focus();
    layers.value = [...layers.peek(), id];
    return () => {
      layers.value = layers.peek().filter((layer) => layer !== id);
      // While it is open, nothing below it can have the focus.
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
  /** Names the things to be destroyed, and their weight. */
  readonly text: ComponentChildren;
  /** The verb on the button. */
  readonly verb: string;
  /** On the button that changes nothing, where "Cancel" would say the same as the verb. */
  readonly keep?: string;
  /** Must be typed first; only for servers, users, rotation, import. */
  readonly typed?: string;
  readonly isDanger?: boolean;
}

interface Asked extends Question {
  answer(isYes: boolean): void;
}

const asked = signal<Asked | undefined>(undefined);

/** Asks before an act that cannot be undone: `if (await confirm({…})) await act(…)`. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.peek()?.answer(false);
    const answer = (isYes: boolean): void => {
      asked.value = undefined;
      resolve(isYes);
    };
    asked.value = { ...question, answer };
  });

/** Place in the frame where questions appear. */
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
