import { useState } from "preact/hooks";
import { timeZone } from "../../texts/format.ts";
import { fromInput, toInput } from "../../texts/zone.ts";
import { Check, Field, Select, TextArea, TextInput } from "../forms/fields.tsx";
import { PickList } from "../forms/pick-list.tsx";
import { ParamFields } from "../params/index.tsx";
import { type Member, numbersIn, textsOf } from "./members.ts";
import { t } from "./texts.ts";

interface MemberFieldProps {
  readonly member: Member;
  readonly value: unknown;
  readonly onInput: (value: unknown) => void;
}

const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

/** Field for one member of an entry, by the member's kind. */
export function MemberField(props: MemberFieldProps) {
  const { member, value, onInput } = props;
  if (member.kind === "check")
    return (
      <Check value={Boolean(value)} onInput={onInput}>
        {member.title()}
      </Check>
    );
  if (member.kind === "object")
    return (
      <ParamFields
        definitions={[{ id: "value", type: "json", title: member.title() }]}
        values={{ value }}
        onInput={(values) => onInput(values["value"])}
      />
    );
  if (member.kind === "many") return <Many {...props} />;
  if (member.kind === "numbers" || member.kind === "texts") return <Parts {...props} />;
  return <Field label={member.title()}>{(id) => <One id={id} {...props} />}</Field>;
}

function One({ id, member, value, onInput }: MemberFieldProps & { readonly id: string }) {
  const zone = timeZone.value;
  const text = textOf(value);
  if (member.kind === "area") return <TextArea id={id} value={text} onInput={onInput} rows={3} />;
  if (member.kind === "number")
    return (
      <TextInput
        id={id}
        type="number"
        value={text}
        onInput={(entered) => onInput(entered === "" ? null : Number(entered))}
      />
    );
  if (member.kind === "time")
    return (
      <TextInput
        id={id}
        type="datetime-local"
        value={typeof value === "number" ? toInput(value, zone) : ""}
        onInput={(entered) => onInput(fromInput(entered, zone) ?? null)}
      />
    );
  if (member.kind === "one") {
    const choices = member.choices?.() ?? [];
    const current = choices.some((choice) => choice.value === text)
      ? []
      : [{ value: text, title: text || t("choose") }];
    return <Select id={id} value={text} onInput={onInput} choices={[...current, ...choices]} />;
  }
  return <TextInput id={id} value={text} onInput={onInput} />;
}

/** Several values, separated by commas. A text that cannot be parsed is not passed on. */
function Parts({ member, value, onInput }: MemberFieldProps) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join(", ") : ""));
  const isNumbers = member.kind === "numbers";
  const isWrong = isNumbers && numbersIn(text) === undefined;
  const read = (entered: string): void => {
    setText(entered);
    const parts = isNumbers ? numbersIn(entered) : textsOf(entered);
    if (parts) onInput(parts);
  };
  return (
    <Field label={member.title()} help={t("commas")} error={isWrong ? t("noNumbers") : undefined}>
      {(id, describedBy) => <TextInput id={id} describedBy={describedBy} value={text} onInput={read} />}
    </Field>
  );
}

const Many = ({ member, value, onInput }: MemberFieldProps) => (
  <PickList
    label={member.title()}
    choices={member.choices?.() ?? []}
    value={Array.isArray(value) ? value.map(String) : []}
    onInput={onInput}
  />
);
