import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type EntryKind, refusedEntry } from "../../data/calls/act.ts";
import { Button } from "../basic/button.tsx";
import { Icon } from "../basic/icon.tsx";
import { Menu } from "../basic/menu.tsx";
import { Check } from "../forms/fields.tsx";
import { MemberField } from "./member-field.tsx";
import { type Entry, type EntryTypes, withMember } from "./members.ts";
import { t } from "./texts.ts";

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly onInput: (entries: readonly Entry[]) => void;
  readonly types: EntryTypes;
  /** Describes an entry in words. */
  readonly words: (entry: Entry) => string;
  readonly addLabel: string;
  readonly none: string;
  /** What refusals call these entries; absent where refusals name no entry. */
  readonly kind?: EntryKind;
  /** Entries have no switch. */
  readonly isPlain?: boolean;
  /** A custom form for some types. */
  readonly form?: (entry: Entry, onInput: (entry: Entry) => void) => ComponentChildren | undefined;
}

/**
 * The entry that the server has refused. Forgotten when entries are added or removed, because its index refers to the list that
 * was sent.
 */
function useFault({ entries, kind }: EntriesProps) {
  useEffect(() => {
    return () => {
      refusedEntry.value = undefined;
    };
  }, [entries.length]);
  const refused = refusedEntry.value;
  return kind !== undefined && refused?.kind === kind ? refused : undefined;
}

/** A list of entries: each in words, with a form below while it is open. Keeps members that no field knows. */
export function Entries(props: EntriesProps) {
  const { entries, onInput, types, words, addLabel, none, isPlain = false, form } = props;
  const [open, setOpen] = useState<number | undefined>(undefined);
  const fault = useFault(props);
  useEffect(() => fault && setOpen(fault.at), [fault]);
  const put = (at: number, entry: Entry): void =>
    onInput(entries.map((other, place) => (place === at ? entry : other)));
  const add = (type: string): void => {
    onInput([...entries, { type, ...(isPlain ? {} : { enabled: true }), ...types[type]?.start?.() }]);
    setOpen(entries.length);
  };
  const remove = (at: number): void => {
    onInput(entries.filter((_, place) => place !== at));
    setOpen(undefined);
  };
  return (
    <div class="entries">
      {entries.length === 0 && <p class="dim sm">{none}</p>}
      {entries.map((entry, at) => (
        <One
          key={at}
          {...{ entry, types, isPlain, form, title: words(entry), isOpen: open === at }}
          fault={fault?.at === at ? fault.text : undefined}
          onOpen={() => setOpen(open === at ? undefined : at)}
          onInput={(next) => put(at, next)}
          onRemove={() => remove(at)}
        />
      ))}
      <Menu
        label={addLabel}
        kind="btn row"
        items={Object.entries(types).map(([type, { title }]) => ({ title: title(), run: () => add(type) }))}
      >
        <Icon name="plus" />
        {addLabel}
      </Menu>
    </div>
  );
}

interface MembersProps {
  readonly entry: Entry;
  readonly types: EntryTypes;
  readonly onInput: (entry: Entry) => void;
}

function Members({ entry, types, onInput }: MembersProps) {
  const members = types[entry.type]?.members ?? [];
  if (members.length === 0) return <p class="dim sm">{t(types[entry.type] ? "nothingToSet" : "kept")}</p>;
  return (
    <>
      {members.map((member) => (
        <MemberField
          key={member.name}
          member={member}
          value={entry[member.name]}
          onInput={(value) => onInput(withMember(entry, member.name, value))}
        />
      ))}
    </>
  );
}

interface OneProps extends Pick<EntriesProps, "types"> {
  readonly form: EntriesProps["form"];
  readonly entry: Entry;
  readonly title: string;
  readonly isPlain: boolean;
  readonly isOpen: boolean;
  /** Why the server has refused this entry. */
  readonly fault: string | undefined;
  readonly onOpen: () => void;
  readonly onInput: (entry: Entry) => void;
  readonly onRemove: () => void;
}

/** One entry of the list: its words, its switch, and its form while it is open. */
function One({ entry, title, types, form, isPlain, isOpen, fault, onOpen, onInput, onRemove }: OneProps) {
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (fault !== undefined) opener.current?.focus();
  }, [fault]);
  return (
    <section class="entry" aria-label={title}>
      <header>
        <button ref={opener} type="button" class="entry-open" aria-expanded={isOpen} onClick={onOpen}>
          <Icon name={isOpen ? "down" : "right"} />
          <span class={isPlain || entry.enabled ? "" : "dimmer"} dir="auto">
            {title}
          </span>
        </button>
        {!isPlain && (
          <Check value={Boolean(entry.enabled)} onInput={(isOn) => onInput(withMember(entry, "enabled", isOn))}>
            {t("isOn")}
          </Check>
        )}
        <Button kind="bare" icon="trash" label={t("removeNamed", { name: title })} onClick={onRemove} />
      </header>
      {isOpen && (
        <div class="form padded">
          {fault !== undefined && <p class="wrong">{fault}</p>}
          {form?.(entry, onInput) ?? <Members entry={entry} types={types} onInput={onInput} />}
        </div>
      )}
    </section>
  );
}
