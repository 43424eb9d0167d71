import { useEffect, useState } from "preact/hooks";
import { noonOf } from "../../../data/records/due.ts";
import { TextInput } from "../../../parts/forms/fields.tsx";

/** Formats a due date for a date input. A date that was just entered is in this format already. */
function dateOf(due: unknown): string {
  if (typeof due === "string") return due;
  if (typeof due !== "number" || due <= 0) return "";
  const at = new Date(noonOf(due) * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

interface DueProps {
  readonly id: string;
  readonly value: unknown;
  readonly onInput: (date: string) => unknown;
  readonly isDisabled: boolean;
}

/** Reports the date only on blur or Enter: while a year is typed, each digit makes a valid date. */
export function DueInput({ id, value, onInput, isDisabled }: DueProps) {
  const [text, setText] = useState(dateOf(value));
  useEffect(() => setText(dateOf(value)), [value]);
  const tell = (): void => {
    const isMeant = text === "" || text >= "2000";
    if (isMeant && text !== dateOf(value)) void onInput(text);
    if (!isMeant) setText(dateOf(value));
  };
  return (
    <TextInput
      id={id}
      isDisabled={isDisabled}
      type="date"
      value={text}
      onInput={setText}
      onBlur={tell}
      onEnter={tell}
    />
  );
}
