import type { ComponentChildren } from "preact";
import type { Choice } from "./fields.tsx";
import { Check } from "./fields.tsx";

interface PickListProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: readonly string[];
  readonly onInput: (value: readonly string[]) => void;
  readonly help?: ComponentChildren;
}

/** Any number of a list, each with a box; a chosen one that is no choice any more stays until it is taken out. */
export function PickList({ label, choices, value, onInput, help }: PickListProps) {
  const gone = value.filter((id) => !choices.some((choice) => choice.value === id));
  const all = [...choices, ...gone.map((id) => ({ value: id, title: id }))];
  if (all.length === 0) return null;
  return (
    <fieldset class="boxes">
      <legend>
        {label} {value.length > 0 && <span class="dim num">{value.length}</span>}
      </legend>
      {help && <p class="help">{help}</p>}
      <div class="choices">
        {all.map((choice) => (
          <Check
            key={choice.value}
            value={value.includes(choice.value)}
            onInput={(isIn) => onInput(isIn ? [...value, choice.value] : value.filter((id) => id !== choice.value))}
          >
            <span dir="auto">{choice.title}</span>
          </Check>
        ))}
      </div>
    </fieldset>
  );
}
