import { useEffect, useRef, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { Action, Button } from "../../parts/basic/button.tsx";
import { Field, Select, TextArea, TextInput } from "../../parts/forms/fields.tsx";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { t as common } from "../../texts/words/common.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { inWords, unitOf } from "./groups.ts";
import { editable, readAs, type Setting, written } from "./rows.ts";
import { t } from "./texts.ts";

interface RowProps {
  readonly setting: Setting;
  readonly reload: () => Promise<unknown>;
}

/** Texts of more characters may be scrolled in their place, also by keys. */
const SCROLLED = 120;

/** One setting: its name and meaning, its value in readable units, and the form that changes it. */
export function Row({ setting, reload }: RowProps) {
  const [isEdited, setEdited] = useState(false);
  const { path, meaning, value, isSet } = setting;
  const unit = unitOf(meaning);
  const row = useTakenOver(isEdited);
  return (
    <li ref={row}>
      <div>
        <b class="mono">{path}</b> {isSet && <span class="chip still">{t("isSet")}</span>}
        <p class="sm dim">
          {meaning.split("`").map((part, at) => (at % 2 === 0 ? part : <code class="mono">{part}</code>))}
        </p>
      </div>
      {isEdited ? (
        <Edit setting={setting} onEnd={() => setEdited(false)} reload={reload} />
      ) : (
        <div class="now">
          <span class="value">
            <code class="mono" tabIndex={written(value).length > SCROLLED ? 0 : undefined}>
              {written(value) || <i class="dimmer">{common("none")}</i>}
            </code>
            <Amount text={inWords(value, unit)} />
          </span>
          <Default setting={setting} />
        </div>
      )}
      {can("admin") && !isEdited && (
        <Button kind="bare" icon="edit" label={common("editNamed", { name: path })} onClick={() => setEdited(true)} />
      )}
    </li>
  );
}

/** Moves focus to the field when editing begins, and back to this setting's button when it ends. */
function useTakenOver(isEdited: boolean) {
  const row = useRef<HTMLLIElement>(null);
  const shown = useRef(isEdited);
  useEffect(() => {
    if (shown.current !== isEdited) row.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    shown.current = isEdited;
  }, [isEdited]);
  return row;
}

/**
 * The default, shown only if the value differs. Long defaults are described only by their number of entries or cut, so
 * they are left out.
 */
function Default({ setting: { fallback, value, meaning } }: { readonly setting: Setting }) {
  if (fallback === "" || written(value) === fallback || /^\d+ entries$|…$/.test(fallback)) return null;
  const text =
    fallback === "–" ? common("none").toLowerCase() : (inWords(Number(fallback), unitOf(meaning)) ?? fallback);
  return written(value) === "" && fallback === "–" ? null : (
    <span class="xs dimmer">{t("default", { value: text })}</span>
  );
}

const Amount = ({ text }: { readonly text: string | undefined }) => (text ? <span class="sm dim">{text}</span> : null);

function entryOf(text: string, value: unknown): { readonly next: unknown } | { readonly fault: string } {
  try {
    return { next: readAs(text, value) };
  } catch (error) {
    return { fault: t("noJson", { fault: (error as Error).message }) };
  }
}

/** Shown in place of a secret. A secret whose mask is sent back unchanged keeps its value. */
const MASK = "********";
const helpOf = (value: unknown, text: string, unit: ReturnType<typeof unitOf>): string | undefined =>
  (typeof value === "number" ? inWords(Number(text), unit) : undefined) ??
  (unit ? t(`unit.${unit}`) : written(value).includes(MASK) ? t("masked") : undefined);

function Edit({ setting: { path, value, meaning, isSet }, onEnd, reload }: RowProps & { readonly onEnd: () => void }) {
  const [before] = useState(written(value));
  const [text, setText] = useState(editable(value));
  const [fault, setFault] = useState<string>();
  useUnsaved(text !== editable(value));
  const update = (next: unknown) => api.adminUpdateConfig({ [path]: next ?? null });
  const put = async (next: unknown, done: string): Promise<void> => {
    // A masked secret cannot be restored, so there is no undo.
    const undo = before.includes(MASK) ? {} : { undo: () => update(isSet ? value : undefined).then(reload) };
    if (!(await act(`set ${path}`, { run: () => update(next), done, ...undo, refused: setFault }))) return;
    await reload();
    onEnd();
  };
  const save = async (): Promise<void> => {
    const entry = entryOf(text, value);
    if ("fault" in entry) setFault(entry.fault);
    else if (written(value) !== before) setFault(t("changedMeanwhile", { value: written(value) }));
    else await put(entry.next, t("saved", { path }));
  };
  return (
    <form
      class="now"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t("value")} help={helpOf(value, text, unitOf(meaning))} error={fault}>
        {(id, describedBy) => <Control id={id} describedBy={describedBy} value={text} onInput={setText} now={value} />}
      </Field>
      <div class="acts">
        <Action needs="admin" deed={`set ${path}`} kind="primary" type="submit" run={() => undefined}>
          {common("save")}
        </Action>
        {isSet && <Button onClick={() => put(undefined, t("unsetDone", { path }))}>{t("unset")}</Button>}
        <Button onClick={onEnd}>{frame("cancel")}</Button>
      </div>
    </form>
  );
}

interface ControlProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly now: unknown;
}

function Control({ now, ...control }: ControlProps) {
  if (typeof now === "boolean")
    return (
      <Select
        {...control}
        choices={["true", "false"].map((value) => ({ value, title: common(value === "true" ? "on" : "off") }))}
      />
    );
  if (typeof now === "number") return <TextInput {...control} type="number" />;
  if (typeof now === "string" && !now.includes("\n")) return <TextInput {...control} isMono />;
  return <TextArea {...control} rows={Math.min(16, Math.max(3, control.value.split("\n").length))} isMono />;
}
