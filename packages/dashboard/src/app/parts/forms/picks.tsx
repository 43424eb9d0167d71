import { useId, useState } from "preact/hooks";
import { t as common } from "../../texts/words/common.ts";
import { t } from "../../texts/words/frame.ts";
import { Icon } from "../basic/icon.tsx";
import { type Choice, openFirst } from "./fields.tsx";

interface PicksProps {
  readonly id?: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly choices: readonly Choice[];
  readonly onInput: (values: readonly string[]) => void;
  /** Any value may be entered; the choices are only suggestions. */
  readonly isFree?: boolean;
  readonly placeholder: string;
  readonly isDisabled?: boolean;
}

/** Several of many values: chips that a click removes, and a box that adds one. */
export function Picks({
  id,
  label,
  values,
  choices,
  onInput,
  isFree = false,
  placeholder,
  isDisabled = false,
}: PicksProps) {
  const rest = choices.filter(({ value }) => !values.includes(value));
  const add = (...given: readonly string[]): void => {
    const next = [...new Set([...values, ...given.filter(Boolean)])];
    if (next.length > values.length) onInput(next);
  };
  return (
    <div class="picks">
      {values.map((value) => (
        <Picked
          key={value}
          title={choices.find((choice) => choice.value === value)?.title ?? value}
          {...(isDisabled ? {} : { onRemove: () => onInput(values.filter((other) => other !== value)) })}
        />
      ))}
      {isDisabled ? (
        values.length === 0 && common("none")
      ) : isFree ? (
        <Entry {...(id ? { id } : {})} label={label} choices={rest} placeholder={placeholder} onAdd={add} />
      ) : (
        <Rest {...(id ? { id } : {})} label={label} choices={rest} placeholder={placeholder} onAdd={add} />
      )}
    </div>
  );
}

const Picked = ({ title, onRemove }: { readonly title: string; readonly onRemove?: () => void }) =>
  onRemove ? (
    <button type="button" class="chip" title={title} aria-label={t("removeTerm", { term: title })} onClick={onRemove}>
      <b class="cut" dir="auto">
        {title}
      </b>{" "}
      <Icon name="x" />
    </button>
  ) : (
    <span class="chip still" title={title}>
      <b class="cut" dir="auto">
        {title}
      </b>
    </span>
  );

interface EntryProps {
  readonly id?: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly placeholder: string;
  readonly onAdd: (...values: readonly string[]) => void;
}

function Entry({ id, label, choices, placeholder, onAdd }: EntryProps) {
  const [text, setText] = useState("");
  const offers = useId();
  const take = (): void => {
    onAdd(...text.split(/[\s,]+/));
    setText("");
  };
  return (
    <>
      <input
        class="pick-add"
        id={id}
        aria-label={id ? undefined : label}
        list={offers}
        placeholder={placeholder}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={take}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          take();
        }}
      />
      <datalist id={offers}>
        {choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** A box that adds one of the remaining choices. */
const Rest = ({ id, label, choices, placeholder, onAdd }: EntryProps) => (
  <select
    class="pick-add"
    id={id}
    aria-label={id ? undefined : label}
    value=""
    onChange={(event) => onAdd(event.currentTarget.value)}
    onKeyDown={openFirst}
  >
    <option value="">{placeholder}</option>
    {choices.map(({ value, title }) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </select>
);
