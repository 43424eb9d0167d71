import { useState } from "preact/hooks";
import { isZone } from "../../texts/zone.ts";
import { MemberField } from "../entries/member-field.tsx";
import type { Entry, Member } from "../entries/members.ts";
import { Field, Select, TextInput } from "../forms/fields.tsx";
import { fromCron, toCron } from "./cron.ts";
import { KINDS, type Kind, kindOf, listsOf } from "./presets.ts";
import { t } from "./texts.ts";
import { weekdayName } from "./words.ts";

interface PatternProps {
  readonly trigger: Entry;
  readonly onInput: (trigger: Entry) => void;
}

const kinds = (isOwn: boolean) => [
  ...(isOwn ? [{ value: "", title: t("kind.own") }] : []),
  ...KINDS.map((value) => ({ value, title: t(`kind.${value}`) })),
];

const numbers = (name: "minutes" | "hours" | "days" | "months"): Member => ({
  name,
  kind: "numbers",
  title: () => t(name),
});
const LISTS = [numbers("minutes"), numbers("hours"), numbers("days"), numbers("months")];
const WEEK = [1, 2, 3, 4, 5, 6, 0];
const WEEKDAYS: Member = {
  name: "weekdays",
  kind: "many",
  title: () => t("weekdaysLabel"),
  choices: () => WEEK.map((day) => ({ value: String(day), title: weekdayName(day, "short") })),
};

/** The form of a schedule: a preset to begin with, its lists, its zone, and the same as cron text. */
export function Pattern({ trigger, onInput }: PatternProps) {
  // Key of the list fields. They keep the typed text; a preset or cron text mounts them again.
  const [round, setRound] = useState(0);
  const put = (lists: Readonly<Record<string, unknown>>): void => {
    onInput({ ...trigger, ...lists });
    setRound(round + 1);
  };
  const kind = kindOf(trigger);
  const set = (name: string) => (value: unknown) => onInput({ ...trigger, [name]: value });
  return (
    <>
      <Field label={t("kind")}>
        {(id) => (
          <Select
            isActing
            id={id}
            value={kind ?? ""}
            onInput={(name) => put(listsOf(name as Kind, trigger))}
            choices={kinds(kind === undefined)}
          />
        )}
      </Field>
      <div class="pair" key={round}>
        {LISTS.map((member) => (
          <MemberField key={member.name} member={member} value={trigger[member.name]} onInput={set(member.name)} />
        ))}
      </div>
      <MemberField
        member={WEEKDAYS}
        value={trigger["weekdays"]}
        onInput={(days) => set("weekdays")((days as readonly string[]).map(Number))}
      />
      <div class="pair">
        <Zone trigger={trigger} onInput={set("timezone")} />
        <Cron trigger={trigger} onInput={put} />
      </div>
    </>
  );
}

const zones = () => Intl.supportedValuesOf("timeZone").map((value) => ({ value, title: value }));

function Zone({ trigger, onInput }: { readonly trigger: Entry; readonly onInput: (zone: string) => void }) {
  const zone = String(trigger["timezone"] ?? "");
  return (
    <Field label={t("zone")} help={t("zoneHelp")} error={zone && !isZone(zone) ? t("zoneWrong") : undefined}>
      {(id, describedBy) => (
        <TextInput id={id} describedBy={describedBy} onInput={onInput} offers={zones()} value={zone} />
      )}
    </Field>
  );
}

function Cron({
  trigger,
  onInput,
}: {
  readonly trigger: Entry;
  readonly onInput: (lists: Readonly<Record<string, unknown>>) => void;
}) {
  /** The text as typed, while the field has the focus or cannot be parsed. */
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const read = typed === undefined ? undefined : fromCron(typed);
  // Applies each text that can be parsed at once, because Enter submits the form without leaving the field.
  const take = (text: string): void => {
    setTyped(text);
    const lists = fromCron(text);
    if (lists) onInput(lists);
  };
  return (
    <Field label={t("cron")} help={t("cronHelp")} error={typed !== undefined && !read ? t("cronWrong") : undefined}>
      {(id, describedBy) => (
        <TextInput
          id={id}
          describedBy={describedBy}
          isMono
          value={typed ?? toCron(trigger) ?? ""}
          onInput={take}
          onBlur={() => read && setTyped(undefined)}
        />
      )}
    </Field>
  );
}
