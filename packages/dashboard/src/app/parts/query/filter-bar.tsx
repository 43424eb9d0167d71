import { useEffect, useId, useRef, useState } from "preact/hooks";
import { list } from "../../texts/format.ts";
import { t } from "../../texts/words/frame.ts";
import { Icon } from "../basic/icon.tsx";
import type { Choice } from "../forms/fields.tsx";
import { SaveSearch } from "./saved-search.tsx";
import { queryOf, type Term, termOf, termsOf } from "./terms.ts";

/** A field that a chip can name. */
export interface FilterField {
  readonly title: string;
  /** Values to suggest after the colon. */
  readonly values?: () => readonly Choice[];
  /** The most common values, suggested beside the names of the fields. */
  readonly usual?: () => readonly Choice[];
}

interface FilterBarProps {
  readonly label: string;
  /** The query in the address. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly fields: Readonly<Record<string, FilterField>>;
  /** Names the defaults: "Newest first, all events". */
  readonly placeholder: string;
  /** Why the server did not accept the query. */
  readonly error?: string | undefined;
}

const WAIT_MS = 250;

/** Edits a query as chips and text: terms with a field are chips, everything else stays text. */
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
      <Typed id={id} label={label} typing={typing} fault={fault} placeholder={chips.length > 0 ? "" : placeholder} />
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

/**
 * The text in the box becomes the query after a short delay, or with Enter; Backspace at the start turns the last chip back into
 * text.
 */
function useTyping(typing: Typing) {
  const { words, chips, put } = typing;
  const [text, setText] = useState(words);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** The chips may have changed by the end of the delay. */
  const newest = useRef(typing);
  newest.current = typing;
  /** Words that this box has put into the query; the viewer may have typed on since. */
  const own = useRef(words);
  useEffect(() => {
    // Keeps a space after the last word, which begins the next one.
    if (words !== own.current) setText((typed) => (typed.trim() === words ? typed : words));
    own.current = words;
  }, [words]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (entered: string): void => {
    const terms = termsOf(entered);
    const rest = terms.filter(({ field }) => field === undefined);
    own.current = queryOf(rest);
    newest.current.put(newest.current.chips, entered);
    // Removes the terms that became chips from the text, so that they are not added again.
    if (rest.length < terms.length) setText(queryOf(rest));
  };
  return {
    text,
    onInput(entered: string): void {
      setText(entered);
      clearTimeout(timer.current);
      // A term with a field waits for Enter or a space, because its value may be incomplete.
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

/** Suggestions: fields, or the values of the field being typed. */
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
  /** Why part of the query finds nothing. */
  readonly fault: string | undefined;
  readonly typing: ReturnType<typeof useTyping>;
}

/** The box for the words of the query. */
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
