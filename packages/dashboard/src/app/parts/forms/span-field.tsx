import { useState } from "preact/hooks";
import { t } from "../../texts/words/common.ts";
import { Field, Select, TextInput } from "./fields.tsx";
import { UNITS, unitOf } from "./spans.ts";

interface InputProps {
  readonly id: string;
  readonly describedBy?: string | undefined;
  readonly label: string;
  readonly isDisabled?: boolean;
  /** Seconds; undefined = none. */
  readonly value: number | undefined;
  readonly onInput: (seconds: number | undefined) => void;
}

/** A duration as a number and its unit. */
export function SpanInput({ id, describedBy, label, isDisabled = false, value, onInput }: InputProps) {
  const [unit, setUnit] = useState(() => unitOf(value));
  const count = value === undefined ? "" : String(value / UNITS[unit]);
  const choose = (name: string): void => {
    const next = name as typeof unit;
    setUnit(next);
    if (value !== undefined) onInput((value / UNITS[unit]) * UNITS[next]);
  };
  return (
    <span class="span-field">
      <TextInput
        id={id}
        describedBy={describedBy}
        isDisabled={isDisabled}
        type="number"
        value={count}
        onInput={(entered) => onInput(entered === "" ? undefined : Number(entered) * UNITS[unit])}
      />
      <Select
        isDisabled={isDisabled}
        label={`${label}: ${t("unit")}`}
        choices={Object.keys(UNITS).map((name) => ({ value: name, title: t(`unit.${name as typeof unit}`) }))}
        value={unit}
        onInput={choose}
      />
    </span>
  );
}

interface FieldProps extends Pick<InputProps, "label" | "onInput" | "value"> {
  readonly help?: string | undefined;
}

/** A `SpanInput` with its label, and help below. */
export const SpanField = ({ help, ...input }: FieldProps) => (
  <Field label={input.label} help={help}>
    {(id, describedBy) => <SpanInput {...input} id={id} describedBy={describedBy} />}
  </Field>
);
