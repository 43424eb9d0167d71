import { useState } from "preact/hooks";
import { Check, Field, Select, TextArea } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { now, when } from "../../texts/format.ts";
import { t } from "../alerts/texts.ts";
import { t as quiet } from "../silences/texts.ts";

/** What a person enters when acknowledging firings. */
export interface Takeover {
  readonly comment: string;
  readonly notify_cleared: boolean;
  /** Unix seconds; absent = until the firing is over. */
  readonly expires?: number;
}

interface AcknowledgeProps {
  /** Title of the firing, or the number of firings. */
  readonly name: string;
  /** Resolves to undefined if the server refused; the refusal has been shown by then. */
  readonly take: (takeover: Takeover) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDone: () => unknown;
}

const HOURS = ["", "1", "4", "8", "24"] as const;

/** Dialog that acknowledges firings with a note, for a chosen time or until they are over. */
export function AcknowledgeDialog({ name, take, onClose, onDone }: AcknowledgeProps) {
  const [comment, setComment] = useState("");
  const [hours, setHours] = useState("");
  const [tellEnd, setTellEnd] = useState(false);
  const expires = hours ? Math.ceil(now.value / 60) * 60 + Number(hours) * 3600 : undefined;
  const run = async (): Promise<void> => {
    const until = expires === undefined ? {} : { expires };
    if (!(await take({ comment, notify_cleared: tellEnd, ...until }))) return;
    onClose();
    await onDone();
  };
  return (
    <FormDialog title={`${t("acknowledge")}: ${name}`} onClose={onClose} onSubmit={run} verb={t("acknowledge")}>
      <p class="dim sm">{t("acknowledgeWhy")}</p>
      <Field label={t("note")} help={t("noteHelp")}>
        {(field, describedBy) => (
          <TextArea id={field} describedBy={describedBy} rows={3} value={comment} onInput={setComment} />
        )}
      </Field>
      <Field label={quiet("howLong")} {...(expires === undefined ? {} : { help: t("endsAt", { at: when(expires) }) })}>
        {(id, describedBy) => (
          <Select
            id={id}
            describedBy={describedBy}
            value={hours}
            onInput={setHours}
            choices={HOURS.map((value) => ({
              value,
              title: value ? quiet("hours", { n: Number(value) }) : t("tillOver"),
            }))}
          />
        )}
      </Field>
      <Check value={tellEnd} onInput={setTellEnd}>
        {t("tellEnd")}
      </Check>
    </FormDialog>
  );
}
