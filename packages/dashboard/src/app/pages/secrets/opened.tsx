import { useEffect, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { t as common } from "../../texts/words/common.ts";
import type { PartProps } from "../definitions/kind.ts";
import { t } from "./texts.ts";

type Fields = Awaited<ReturnType<typeof api.decryptSecret>>["fields"];
/** Opened values are hidden again after a minute. */
const SHOWN_MS = 60_000;
/** Maximum number of characters of a reason that the activity log keeps. */
const MAX_REASON = 1000;

/** Opens the values of a secret. The activity log records who did it, and the reason. */
export function Opened({ row: { id, title } }: PartProps) {
  const [fields, setFields] = useState<Fields>();
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!fields) return;
    const timer = setTimeout(() => setFields(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [fields]);
  if (!can("admin")) return null;
  const open = async (reason: string): Promise<void> => {
    const answer = await act(`open ${id}`, { run: () => api.decryptSecret({ id, reason }) });
    if (!answer) return;
    setAsked(false);
    setFields(answer.fields);
  };
  return (
    <Panel title={t("opened")}>
      {fields && <Values fields={fields} />}
      <div class="inner stack">
        {!fields && <p class="dim sm">{t("openedHelp")}</p>}
        <div>
          {fields ? (
            <Button onClick={() => setFields(undefined)}>{t("hide")}</Button>
          ) : (
            <Action needs="admin" deed={`open ${id}`} run={() => setAsked(true)}>
              {t("open")}
            </Action>
          )}
        </div>
        {isAsked && <Why title={title} onOpen={open} onClose={() => setAsked(false)} />}
      </div>
    </Panel>
  );
}

interface WhyProps {
  readonly title: string;
  readonly onOpen: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the reason, which the activity log keeps for later readers. */
function Why({ title, onOpen, onClose }: WhyProps) {
  const [reason, setReason] = useState("");
  return (
    <FormDialog
      title={t("openTitle", { title })}
      onClose={onClose}
      onSubmit={() => onOpen(reason.trim())}
      verb={t("open")}
      isReady={reason.trim() !== ""}
      hasText
    >
      <p>{t("openWhy")}</p>
      <Field label={t("reason")} help={t("reasonHelp")}>
        {(field, describedBy) => (
          <TextInput
            id={field}
            describedBy={describedBy}
            value={reason}
            onInput={setReason}
            maxLength={MAX_REASON}
            isRequired
          />
        )}
      </Field>
    </FormDialog>
  );
}

const Copy = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <Button
    kind="bare"
    icon="copy"
    label={t("copyOf", { name })}
    onClick={() => act(`copy ${name}`, { run: () => navigator.clipboard.writeText(value), done: common("copied") })}
  />
);

const Values = ({ fields }: { readonly fields: Fields }) => (
  <ul class="linked">
    {fields.map(({ name, value }) => (
      <li key={name}>
        <span class="grow">
          <span class="mono xs dim">{name}</span>
          <code class="sub opened">{value}</code>
        </span>
        <Copy name={name} value={value} />
      </li>
    ))}
  </ul>
);
