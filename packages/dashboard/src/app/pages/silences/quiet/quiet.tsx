import { useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api } from "../../../data/calls/session.ts";
import { Field, Select, TextInput } from "../../../parts/forms/fields.tsx";
import { FormDialog } from "../../../parts/forms/form-dialog.tsx";
import { now, when } from "../../../texts/format.ts";
import { t } from "../texts.ts";
import { allOrNone } from "./all-or-none.ts";
import { type About, scopesOf } from "./scopes.ts";

interface QuietProps {
  readonly about: About;
  readonly onClose: () => void;
  readonly onDone?: () => unknown;
}

const HOURS = ["1", "4", "8", "24", "72"] as const;

/** Dialog that creates a silence from the current page, with a choice of scope and duration. */
export function QuietDialog({ about, onClose, onDone }: QuietProps) {
  const scopes = scopesOf(about);
  const [scope, setScope] = useState(scopes[0]?.value ?? "");
  const [hours, setHours] = useState<string>("1");
  const [reason, setReason] = useState("");
  const end = Math.ceil(now.value / 60) * 60 + Number(hours) * 3600;
  const chosen = scopes.find(({ value }) => value === scope) ?? scopes[0];
  const run = async (): Promise<void> => {
    if (!chosen) return;
    const done = await keepQuiet(chosen, { title: reason.trim() || chosen.title, end }, onDone);
    if (!done) return;
    onClose();
    await onDone?.();
  };
  return (
    <FormDialog title={t("silence")} onClose={onClose} onSubmit={run} verb={t("silence")}>
      <p class="dim sm">{t("quietWhy")}</p>
      <Field label={t("what")}>{(id) => <Select id={id} choices={scopes} value={scope} onInput={setScope} />}</Field>
      <Field label={t("howLong")} help={t("until", { at: when(end) })}>
        {(id, describedBy) => (
          <Select
            id={id}
            describedBy={describedBy}
            choices={HOURS.map((value) => ({ value, title: t("hours", { n: Number(value) }) }))}
            value={hours}
            onInput={setHours}
          />
        )}
      </Field>
      <Field label={t("reason")} help={t("reasonHelp")}>
        {(id, describedBy) => <TextInput id={id} describedBy={describedBy} value={reason} onInput={setReason} />}
      </Field>
    </FormDialog>
  );
}

const takeBack = ({ silence: { id } }: Awaited<ReturnType<typeof api.createSilence>>) => api.deleteSilence({ id });

function keepQuiet(
  chosen: ReturnType<typeof scopesOf>[number],
  { title, end }: { readonly title: string; readonly end: number },
  onDone: QuietProps["onDone"],
) {
  return act("silence", {
    run: () =>
      allOrNone(
        chosen.silences.map((names) => api.createSilence({ title, end, ...names })),
        takeBack,
      ),
    done: t("done", { what: chosen.title, at: when(end) }),
    undo: async (made) => {
      await Promise.all(made.map(takeBack));
      await onDone?.();
    },
  });
}
