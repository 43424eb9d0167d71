import { useState } from "preact/hooks";
import { t } from "../texts/common.ts";
import { Field, Select, TextInput } from "./fields.tsx";
import { UNITS, unitOf } from "./spans.ts";

interface SpanProps {
  readonly label: string;
  readonly help?: string | undefined;
  /** Seconds; undefined = none. */
  readonly value: number | undefined;
  readonly onInput: (seconds: number | undefined) => void;
}

/** A stretch of time as a number and its unit. */
export function SpanField({ label, help, value, onInput }: SpanProps) {
  const [unit, setUnit] = useState(() => unitOf(value));
  const count = value === undefined ? "" : String(value / UNITS[unit]);
  const choose = (name: string): void => {
    const next = name as typeof unit;
    setUnit(next);
    if (value !== undefined) onInput((value / UNITS[unit]) * UNITS[next]);
  };
  return (
    <Field label={label} help={help}>
      {(id, describedBy) => (
        <span class="span-field">
          <TextInput
            {...{ id, describedBy }}
            type="number"
            value={count}
            onInput={(entered) => onInput(entered === "" ? undefined : Number(entered) * UNITS[unit])}
          />
          <Select
            label={`${label}: ${t("unit")}`}
            choices={Object.keys(UNITS).map((name) => ({ value: name, title: t(`unit.${name as typeof unit}`) }))}
            value={unit}
            onInput={choose}
          />
        </span>
      )}
    </Field>
  );
}
