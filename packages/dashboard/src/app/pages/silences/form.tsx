import { act } from "../../data/calls/act.ts";
import { api, isLimited, reaches } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { useSharedForm } from "../../parts/difference/use-shared-form.tsx";
import { type Choice, Field, Segments, TextArea, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { PickList } from "../../parts/forms/pick-list.tsx";
import { now, timeZone } from "../../texts/format.ts";
import { fromInput, toInput } from "../../texts/zone.ts";
import { t as routes } from "../notice-routes/texts.ts";
import type { Silence } from "./columns.tsx";
import { isForAll } from "./quiet/reach.ts";
import { t } from "./texts.ts";
import { weekdayName } from "./weekdays.ts";

/** A silence as the form edits it. */
interface Draft {
  readonly title: string;
  readonly isRecurring: boolean;
  readonly start: string;
  readonly end: string;
  readonly from: string;
  readonly to: string;
  readonly weekdays: readonly string[];
  readonly names: Readonly<Record<Listed, readonly string[]>>;
  readonly notes: string;
}

/** Kinds of records that a silence can name. */
const NAMED = ["servers", "groups", "events", "heartbeats", "checks", "alerts"] as const;
type Named = (typeof NAMED)[number];
/** The lists of a silence. Its tags are tags of alert rules. */
type Listed = Named | "tags" | "severities";
const SEVERITIES = ["info", "warning", "critical"] as const;
const LISTS: readonly Listed[] = [...NAMED, "tags", "severities"];

const namesOf = (silence: Partial<Record<Listed, readonly string[] | null | undefined>> | undefined) =>
  Object.fromEntries(LISTS.map((list) => [list, [...(silence?.[list] ?? [])]])) as Record<Listed, string[]>;

function draftOf(silence: Silence | undefined): Draft {
  const zone = timeZone.peek();
  const wall = (at: number | null | undefined): string => (at ? toInput(at, zone) : "");
  const soon = Math.ceil(now.peek() / 300) * 300;
  const { title = "", recurring, notes } = silence ?? {};
  return {
    title,
    names: namesOf(silence),
    notes: notes ?? "",
    isRecurring: Boolean(recurring),
    start: silence ? wall(silence.start) : wall(soon),
    end: silence ? wall(silence.end) : wall(soon + 3600),
    from: recurring?.from ?? "22:00",
    to: recurring?.to ?? "06:00",
    weekdays: (recurring?.weekdays ?? []).map(String),
  };
}

const LABELS = {
  title: "reason",
  names: "about",
  notes: "notes",
  isRecurring: "everyDay",
  start: "from",
  end: "to",
  from: "clockFrom",
  to: "clockTo",
  weekdays: "weekdays",
} as const;
const nameOf = (member: keyof Draft): string => t(LABELS[member]);

/**
 * The time that a field means. If the text is unchanged, keeps the stored time: the field shows no seconds, and cannot
 * tell apart the two equal hours when clocks are put back.
 */
function momentOf(text: string, before: number | null | undefined): number | null {
  const zone = timeZone.peek();
  if (before && text === toInput(before, zone)) return before;
  return fromInput(text, zone) ?? null;
}

/** The record to send. Members that the form does not know stay in the stored record. */
function recordOf(draft: Draft, before: Silence | undefined) {
  const zone = timeZone.peek();
  const { title, isRecurring, names, notes, from, to, weekdays } = draft;
  const recurring = {
    ...before?.recurring,
    from,
    to,
    weekdays: weekdays.map(Number),
    timezone: before?.recurring?.timezone ?? zone,
  };
  return {
    title: title.trim(),
    ...namesOf(names),
    severities: names.severities as NonNullable<Silence["severities"]>,
    notes,
    start: momentOf(draft.start, before?.start),
    end: momentOf(draft.end, before?.end),
    recurring: isRecurring ? recurring : null,
  };
}

interface FormProps {
  readonly silence: Silence | undefined;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

const read = async (id: string): Promise<Silence> => (await api.getSilence({ id })).silence;

export function SilenceForm({ silence: kept, onDone, onClose }: FormProps) {
  const over = useSharedForm({ record: kept, formOf: draftOf, read, nameOf });
  const { base: silence, form: draft, set, refused, conflict } = over;
  const isEmpty = Object.values(draft.names).every((names) => names.length === 0);
  const isTooWide = isLimited() && isForAll(draft.names);
  const save = async (): Promise<void> => {
    const { recurring, ...record } = recordOf(draft, silence);
    const run = () =>
      silence
        ? api.updateSilence({ id: silence.id, if_revision: silence.revision, ...record, recurring })
        : api.createSilence({ ...record, ...(recurring ? { recurring } : {}) });
    if (!(await act("save silence", { run, done: t("saved", { name: record.title }), refused }))) return;
    onClose();
    await onDone();
  };
  return (
    <FormDialog
      title={silence ? silence.title : t("create")}
      onClose={onClose}
      onSubmit={save}
      verb={t(silence ? "save" : "create")}
      isReady={!isEmpty && !isTooWide && draft.title.trim() !== ""}
      note={(isEmpty || isTooWide) && <span class="dim sm">{t(isTooWide ? "needSubject" : "needSomething")}</span>}
    >
      {conflict}
      <Field label={t("reason")} help={t("reasonHelp")}>
        {(id, describedBy) => (
          <TextInput {...{ id, describedBy }} isRequired value={draft.title} onInput={(title) => set({ title })} />
        )}
      </Field>
      <Times draft={draft} set={set} />
      <Scopes draft={draft} set={set} />
      <Field label={t("notes")}>
        {(id) => <TextArea id={id} rows={2} value={draft.notes} onInput={(notes) => set({ notes })} />}
      </Field>
    </FormDialog>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}

const DAYS = [1, 2, 3, 4, 5, 6, 0] as const;

function Times({ draft, set }: PartProps) {
  const { isRecurring, start, end } = draft;
  return (
    <>
      <Segments
        label={t("when")}
        choices={[
          { value: "once", title: t("once") },
          { value: "again", title: t("everyDay") },
        ]}
        value={isRecurring ? "again" : "once"}
        onInput={(kind) => set(kind === "again" ? { isRecurring: true, end: "" } : { isRecurring: false })}
      />
      <div class="pair">
        <Field label={t("from")}>
          {(id) => <TextInput id={id} type="datetime-local" value={start} onInput={(next) => set({ start: next })} />}
        </Field>
        <Field label={t("to")}>
          {(id) => (
            <TextInput
              id={id}
              type="datetime-local"
              value={end}
              isRequired={!isRecurring}
              onInput={(next) => set({ end: next })}
            />
          )}
        </Field>
      </div>
      {isRecurring && <Again draft={draft} set={set} />}
    </>
  );
}

function Scopes({ draft, set }: PartProps) {
  return (
    <>
      <p class="dim sm">{t("pickHelp")}</p>
      {LISTS.map((list) => (
        <PickList
          key={list}
          label={t(list === "alerts" ? "rules" : list)}
          choices={choicesOf(list)}
          value={draft.names[list]}
          onInput={(next) => set({ names: { ...draft.names, [list]: next } })}
        />
      ))}
    </>
  );
}

function choicesOf(list: Listed): readonly Choice[] {
  if (list === "severities") return SEVERITIES.map((value) => ({ value, title: routes(`severity.${value}`) }));
  if (list !== "tags")
    return (listed(list) ?? [])
      .filter(({ id }) => list !== "groups" || reaches("groups", [id]))
      .map(({ id }) => ({ value: id, title: titleOf(list, id) }));
  const tags = new Set((listed("alerts") ?? []).flatMap(({ tags: own }) => own ?? []));
  return [...tags].map((value) => ({ value, title: value }));
}

/** Time range and weekdays of a recurring silence. */
const Again = ({ draft: { from, to, weekdays }, set }: PartProps) => (
  <>
    <div class="pair">
      <Field label={t("clockFrom")}>
        {(id) => <TextInput id={id} type="time" isRequired value={from} onInput={(next) => set({ from: next })} />}
      </Field>
      <Field label={t("clockTo")}>
        {(id) => <TextInput id={id} type="time" isRequired value={to} onInput={(next) => set({ to: next })} />}
      </Field>
    </div>
    <PickList
      label={t("weekdays")}
      choices={DAYS.map((day) => ({ value: String(day), title: weekdayName(day) }))}
      value={weekdays}
      onInput={(next) => set({ weekdays: next })}
    />
  </>
);
