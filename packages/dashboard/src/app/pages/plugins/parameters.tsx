import { Button } from "../../parts/basic/button.tsx";
import { Check, Field, Select, TextInput } from "../../parts/forms/fields.tsx";
import { typeChoices, variantChoices } from "../../parts/params/kinds.ts";
import { t as common } from "../../texts/words/common.ts";
import type { ControlProps } from "../definitions/kind.ts";
import { Add } from "../definitions/list-buttons.tsx";
import { t } from "./texts.ts";

interface Parameter {
  readonly id: string;
  readonly type: string;
  readonly title?: string;
  readonly value?: unknown;
  readonly variant?: string;
  readonly caption?: string;
  readonly required?: unknown;
  readonly locked?: unknown;
}

/** Edits the parameters that a plugin declares, in order. Members without a field are kept. */
export function Parameters({ value, onInput, isDisabled, id }: ControlProps) {
  const all = (Array.isArray(value) ? value : []) as readonly Parameter[];
  const put = (at: number, change: Partial<Parameter>): void =>
    onInput(all.map((one, place) => (place === at ? { ...one, ...change } : one)));
  const move = (at: number): void => onInput([...all.slice(0, at - 1), all[at], all[at - 1], ...all.slice(at + 1)]);
  return (
    <div class="own-control">
      {all.map((one, at) => (
        <fieldset key={at} disabled={isDisabled}>
          <legend class="vh">{one.title || one.id}</legend>
          <Members one={one} onInput={(change) => put(at, change)} />
          <div class="acts">
            {at > 0 && (
              <Button
                kind="bare"
                icon="up"
                label={t("moveUp", { name: one.title || one.id })}
                onClick={() => move(at)}
              />
            )}
            <Button
              kind="bare"
              icon="trash"
              label={common("removeNamed", { name: one.title || one.id })}
              onClick={() => onInput(all.filter((other) => other !== one))}
            />
          </div>
        </fieldset>
      ))}
      <Add
        id={id}
        isDisabled={isDisabled}
        onAdd={() => onInput([...all, { id: "", type: "text", title: "", value: "" }])}
      >
        {t("addParam")}
      </Add>
    </div>
  );
}

interface MembersProps {
  readonly one: Parameter;
  readonly onInput: (change: Partial<Parameter>) => void;
}

const empty = (type: string): unknown => (type === "checkbox" ? false : type === "json" ? {} : "");

const Members = ({ one, onInput }: MembersProps) => (
  <>
    <Field label={t("paramTitle")}>
      {(id) => <TextInput id={id} value={one.title ?? ""} onInput={(title) => onInput({ title })} />}
    </Field>
    <Field label={common("id")}>
      {(id) => <TextInput id={id} isMono value={one.id} onInput={(next) => onInput({ id: next })} />}
    </Field>
    <Field label={t("type")}>
      {(id) => (
        <Select
          id={id}
          choices={typeChoices()}
          value={one.type}
          onInput={(type) => onInput({ type, value: empty(type) })}
        />
      )}
    </Field>
    {one.type === "text" && (
      <Field label={t("variant")}>
        {(id) => (
          <Select
            id={id}
            choices={variantChoices()}
            value={one.variant ?? "text"}
            onInput={(variant) => onInput({ variant })}
          />
        )}
      </Field>
    )}
    <Default one={one} onInput={onInput} />
    <Field label={t("caption")}>
      {(id) => <TextInput id={id} value={one.caption ?? ""} onInput={(caption) => onInput({ caption })} />}
    </Field>
    <Check value={Boolean(one.required)} onInput={(required) => onInput({ required })}>
      {t("required")}
    </Check>
    <Check value={Boolean(one.locked)} onInput={(locked) => onInput({ locked })}>
      {t("locked")}
    </Check>
  </>
);

function Default({ one, onInput }: MembersProps) {
  if (one.type === "checkbox")
    return (
      <Check value={Boolean(one.value)} onInput={(value) => onInput({ value })}>
        {t("default")}
      </Check>
    );
  // Object values of the types json and toolset are kept; they are changed where the plugin is used.
  if (typeof one.value === "object" && one.value !== null) return null;
  const isNumber = one.type === "text" && one.variant === "number";
  return (
    <Field label={t("default")} {...(one.type === "select" ? { help: t("selectHelp") } : {})}>
      {(id) => (
        <TextInput
          id={id}
          type={isNumber ? "number" : "text"}
          value={String(one.value ?? "")}
          onInput={(text) => onInput({ value: isNumber ? (text === "" ? null : Number(text)) : text })}
        />
      )}
    </Field>
  );
}
