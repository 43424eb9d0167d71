import type { ComponentChildren } from "preact";
import { isUnderWay } from "../data/act.ts";
import { t } from "../texts/frame.ts";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

interface FormDialogProps extends DialogProps {
  readonly onSubmit: () => unknown;
  /** The verb on the button. */
  readonly verb: string;
  readonly isDanger?: boolean;
  /** False while something must be entered first. */
  readonly isReady?: boolean;
  /** Key of the deed: the button waits while it is under way. */
  readonly deed?: string;
  /** Sentences come before the fields. */
  readonly hasText?: boolean;
  /** Beside the buttons. */
  readonly note?: ComponentChildren;
}

/** A dialog that asks for something, and does it. */
export function FormDialog(props: FormDialogProps) {
  const { onSubmit, verb, isDanger, isReady = true, deed, hasText, note, children, ...dialog } = props;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isReady) void onSubmit();
  };
  return (
    <Dialog {...dialog}>
      <form onSubmit={submit}>
        <div class={hasText ? "body stack" : "body form"}>{children}</div>
        <footer>
          {note}
          <Button onClick={dialog.onClose}>{t("cancel")}</Button>
          <Button
            type="submit"
            kind={isDanger ? "danger" : "primary"}
            isDisabled={!isReady}
            isBusy={deed !== undefined && isUnderWay(deed)}
          >
            {verb}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
