import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../texts/words/common.ts";
import type { Choice } from "./fields.tsx";
import { Check } from "./fields.tsx";

interface PickListProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: readonly string[];
  readonly onInput: (value: readonly string[]) => void;
  readonly help?: ComponentChildren;
  readonly error?: string | undefined;
}

/** Lists with more choices have a search field. */
const MANY = 20;

/**
 * Any number of choices of a list, each with a checkbox. A selected value that is no longer offered stays until it is removed.
 */
export function PickList({ label, choices, value, onInput, help, error }: PickListProps) {
  const [text, setText] = useState("");
  const gone = value.filter((id) => !choices.some((choice) => choice.value === id));
  const all = [...choices, ...gone.map((id) => ({ value: id, title: id }))];
  if (all.length === 0) return null;
  const wanted = text.trim().toLowerCase();
  const found = all.filter(({ title }) => title.toLowerCase().includes(wanted));
  return (
    <fieldset class={error ? "boxes field bad" : "boxes"}>
      <legend>
        {label} {value.length > 0 && <span class="dim num">{value.length}</span>}
      </legend>
      {help && <p class="help">{help}</p>}
      {all.length > MANY && (
        <input
          class="input"
          type="search"
          aria-label={`${t("find")}: ${label}`}
          placeholder={t("find")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          // Enter would submit the form.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      )}
      <div class="choices">
        {found.map((choice) => (
          <Check
            key={choice.value}
            value={value.includes(choice.value)}
            onInput={(isIn) => onInput(isIn ? [...value, choice.value] : value.filter((id) => id !== choice.value))}
          >
            <span dir="auto">{choice.title}</span>
          </Check>
        ))}
        {found.length === 0 && <span class="dim sm">{t("noneFound")}</span>}
      </div>
      {error && <p class="wrong">{error}</p>}
    </fieldset>
  );
}
