import { useEffect, useId, useRef, useState } from "preact/hooks";
import { list } from "../../texts/format.ts";
import { t } from "../../texts/words/frame.ts";
import { Icon } from "../basic/icon.tsx";
import type { Choice } from "../forms/fields.tsx";
import { SaveSearch } from "./saved-search.tsx";
import { queryOf, type Term, termOf, termsOf } from "./terms.ts";

/** A field that a chip may name. */
export interface FilterField {
  readonly title: string;
  /** Values that are offered after the colon. */
  readonly values?: () => readonly Choice[];
  /** Values that are asked for most: they are offered beside the names of the fields. */
  readonly usual?: () => readonly Choice[];
}

interface FilterBarProps {
  readonly label: string;
  /** The query as it stands in the address. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly fields: Readonly<Record<string, FilterField>>;
  /** Says the defaults: "Newest first, all events". */
  readonly placeholder: string;
  /** Why the server did not understand the query. */
  readonly error?: string | undefined;
}

const WAIT_MS = 250;

/** Chips and text are two views of one query: a term with a field is a chip, everything else stays text. */
export function FilterBar({ label, query, onQuery, fields, placeholder, error }: FilterBarProps) {
  const terms = termsOf(query);
  const chips = terms.filter(({ field }) => field !== undefined);
  const words = queryOf(terms.filter(({ field }) => field === undefined));
  const put = (parts: readonly { readonly text: string }[], rest: string): void =>
    onQuery([queryOf(parts), rest.trim()].filter(Boolean).join(" "));
  const typing = useTyping({ words, chips, put });
  const id = useId();
  const strange = chips.find(({ field = "" }) => !Object.hasOwn(fields, field));
  const fault = error ?? (strange && t("noField", { name: strange.field ?? "", fields: list(Object.keys(fields)) }));
  return (
    <div class="filters" role="search" aria-label={label}>
      <Icon name="search" />
      {chips.map((term) => (
        <Chip
          key={term.text}
          name={(term.isNot ? "− " : "") + (fields[term.field ?? ""]?.title ?? term.field ?? "")}
          value={shownValue(fields[term.field ?? ""], term.value)}
          isUnknown={!Object.hasOwn(fields, term.field ?? "")}
          onRemove={() =>
            put(
              chips.filter((other) => other !== term),
              typing.text,
            )
          }
        />
      ))}
      <Typed {...{ id, label, typing, fault, placeholder: chips.length > 0 ? "" : placeholder }} />
      <Offers id={`${id}-offers`} text={typing.text} fields={fields} />
      <SaveSearch />
      {fault && (
        <p id={`${id}-fault`} class="wrong" dir="auto">
          {fault}
        </p>
      )}
    </div>
  );
}

interface Typing {
  readonly words: string;
  readonly chips: readonly Term[];
  put(parts: readonly Pick<Term, "text">[], rest: string): void;
}

/** The text in the box becomes the query after a moment, or with Enter; Backspace at the start opens the last chip. */
function useTyping(typing: Typing) {
  const { words, chips, put } = typing;
  const [text, setText] = useState(words);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** A moment later the chips may be others. */
  const newest = useRef(typing);
  newest.current = typing;
  /** Words that came from the box itself, in which somebody may have typed on since then. */
  const own = useRef(words);
  useEffect(() => {
    // A space behind the last word is the beginning of the next one.
    if (words !== own.current) setText((typed) => (typed.trim() === words ? typed : words));
    own.current = words;
  }, [words]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (entered: string): void => {
    const terms = termsOf(entered);
    const rest = terms.filter(({ field }) => field === undefined);
    own.current = queryOf(rest);
    newest.current.put(newest.current.chips, entered);
    // What became a chip stands there no more, where it would be added once again.
    if (rest.length < terms.length) setText(queryOf(rest));
  };
  return {
    text,
    onInput(entered: string): void {
      setText(entered);
      clearTimeout(timer.current);
      // A field that is being typed is no chip yet: its value is still to come.
      if (!/(?:^|\s)\w+:\S*$/.test(entered)) timer.current = setTimeout(() => settle(entered), WAIT_MS);
    },
    onKey(event: KeyboardEvent): void {
      if (event.key === "Enter") {
        clearTimeout(timer.current);
        settle(text);
      }
      const last = chips.at(-1);
      if (event.key !== "Backspace" || text !== "" || !last) return;
      clearTimeout(timer.current);
      event.preventDefault();
      put(chips.slice(0, -1), "");
      setText(last.text);
    },
  };
}

const Offers = ({
  id,
  text,
  fields,
}: Pick<FilterBarProps, "fields"> & { readonly id: string; readonly text: string }) => (
  <datalist id={id}>
    {offers(text, fields).map(({ value, title }) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </datalist>
);

const shownValue = (field: FilterField | undefined, value: string): string =>
  field?.values?.().find((choice) => choice.value === value)?.title ?? value;

/** Suggestions: fields, and the values of the field that was typed last. */
function offers(text: string, fields: FilterBarProps["fields"]): readonly Choice[] {
  const [, before = "", name = "", isNamed] = /^(.*?)(\w*)(:\S*)?$/s.exec(text) ?? [];
  const offer = (field: string, { value, title }: Choice): Choice => ({ value: before + termOf(field, value), title });
  if (!isNamed)
    return Object.entries(fields).flatMap(([key, { title, usual }]) => [
      { value: `${before}${key}:`, title },
      ...(usual?.() ?? []).map((choice) => offer(key, choice)),
    ]);
  const values = fields[name.toLowerCase()]?.values?.() ?? [];
  return values.map((choice) => offer(name, choice));
}

interface ChipProps {
  readonly name: string;
  readonly value: string;
  readonly isUnknown: boolean;
  readonly onRemove: () => void;
}

const Chip = ({ name, value, isUnknown, onRemove }: ChipProps) => (
  <button
    type="button"
    class={isUnknown ? "chip bad" : "chip"}
    aria-label={t("removeTerm", { term: `${name}: ${value}` })}
    onClick={onRemove}
  >
    {name}: <b dir="auto">{value}</b> <Icon name="x" />
  </button>
);

interface TypedProps extends Pick<FilterBarProps, "label" | "placeholder"> {
  readonly id: string;
  /** Why some of the query finds nothing. */
  readonly fault: string | undefined;
  readonly typing: ReturnType<typeof useTyping>;
}

/** The box for the rest of the query. */
const Typed = ({ id, label, typing, fault, placeholder }: TypedProps) => (
  <input
    class="query"
    type="search"
    data-filter
    aria-label={label}
    aria-describedby={fault ? `${id}-fault` : undefined}
    aria-invalid={fault ? true : undefined}
    list={`${id}-offers`}
    placeholder={placeholder}
    value={typing.text}
    onInput={(event) => typing.onInput(event.currentTarget.value)}
    onKeyDown={typing.onKey}
  />
);
