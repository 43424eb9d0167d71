import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { closeRefusals, newest, refusalSince } from "../../data/calls/said.ts";
import { t } from "../../texts/words/frame.ts";
import { Button } from "../basic/button.tsx";
import { Dialog, type DialogProps } from "../basic/dialog.tsx";
import { LookOnly } from "../basic/states.tsx";

interface FormDialogProps extends Omit<DialogProps, "tellsRefusals" | "holds"> {
  readonly onSubmit: () => unknown;
  /** The verb on the button; absent if the viewer may only look. */
  readonly verb?: string | undefined;
  readonly isDanger?: boolean;
  /** False while something required is missing. */
  readonly isReady?: boolean;
  /** The content begins with sentences before the fields. */
  readonly hasText?: boolean;
  /** Shown beside the buttons. */
  readonly note?: ComponentChildren;
}

/** A dialog with a form. Refusals appear in it and keep all entries; a click outside does not discard entries. */
export function FormDialog(props: FormDialogProps) {
  const { onSubmit, verb, isDanger, isReady = true, hasText = false, note, children, ...dialog } = props;
  const isLookedAt = verb === undefined;
  const [since] = useState(newest);
  const isEntered = useRef(false);
  useEffect(() => () => closeRefusals(since), []);
  const [isUnderWay, run] = useOneAtATime(onSubmit);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isReady || isUnderWay) return;
    closeRefusals(since);
    void run();
  };
  return (
    <Dialog {...dialog} tellsRefusals holds={() => isEntered.current}>
      <form
        onSubmit={submit}
        onInput={() => {
          isEntered.current = true;
        }}
      >
        <Body isLookedAt={isLookedAt} hasText={hasText} title={dialog.title}>
          {children}
        </Body>
        <footer>
          <Refusal since={since} />
          {note && <div class="grow">{note}</div>}
          <Button onClick={dialog.onClose}>{t(isLookedAt ? "close" : "cancel")}</Button>
          {!isLookedAt && (
            <Button type="submit" kind={isDanger ? "danger" : "primary"} isDisabled={!isReady} isBusy={isUnderWay}>
              {verb}
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

function useOneAtATime(work: () => unknown): readonly [isUnderWay: boolean, run: () => Promise<void>] {
  const [isUnderWay, setUnderWay] = useState(false);
  const run = async (): Promise<void> => {
    setUnderWay(true);
    try {
      await work();
    } finally {
      setUnderWay(false);
    }
  };
  return [isUnderWay, run];
}

interface BodyProps extends Pick<FormDialogProps, "title" | "hasText" | "children"> {
  readonly isLookedAt: boolean;
}

const Body = ({ title, hasText, isLookedAt, children }: BodyProps) =>
  isLookedAt ? (
    <fieldset class="body form" disabled aria-label={title}>
      <LookOnly />
      {children}
    </fieldset>
  ) : (
    <div class={hasText ? "body stack" : "body form"}>{children}</div>
  );

function Refusal({ since }: { readonly since: number }) {
  const text = refusalSince(since);
  return text === undefined ? null : (
    <p class="wrong" role="alert" dir="auto">
      {text}
    </p>
  );
}
