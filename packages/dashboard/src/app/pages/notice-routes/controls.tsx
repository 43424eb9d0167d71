import { listed, titleOf } from "../../data/records/lists.ts";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { PickList } from "../../parts/forms/pick-list.tsx";
import { Picks } from "../../parts/forms/picks.tsx";
import { t as common } from "../../texts/words/common.ts";
import type { ControlProps } from "../definitions/kind.ts";
import { Add, Remove } from "../definitions/list-buttons.tsx";
import { type Route, useReceivers } from "../notices/data.ts";
import { weekdayName } from "../silences/weekdays.ts";
import { t } from "./texts.ts";

const SEVERITIES = ["info", "warning", "critical"] as const;
const SUBJECTS = ["server", "presence", "event", "heartbeat", "check"] as const;

/** The words of a match that are no records: a severity, or the kind of subject of a firing. */
export const wordOf = (list: "severities" | "subjects", id: string): string =>
  list === "severities"
    ? t(`severity.${id as (typeof SEVERITIES)[number]}`)
    : t(`subject.${id as (typeof SUBJECTS)[number]}`);

/** Days of the week, Monday first; Sunday is 0. */
export const weekdays = () => [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), title: weekdayName(day) }));

const choicesOf = (name: "alerts" | "categories" | "groups" | "servers") =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));

const tagChoices = () =>
  [...new Set((listed("alerts") ?? []).flatMap(({ tags }) => tags ?? []))].map((value) => ({ value, title: value }));

/** The conditions of a route on firings. */
export function Match({ value, onInput, isDisabled }: ControlProps) {
  const match = (value ?? {}) as Route["match"];
  const lists = [
    ["severities", SEVERITIES.map((each) => ({ value: each, title: t(`severity.${each}`) }))],
    ["subjects", SUBJECTS.map((each) => ({ value: each, title: t(`subject.${each}`) }))],
    ["alerts", choicesOf("alerts")],
    ["tags", tagChoices()],
    ["categories", choicesOf("categories")],
    ["groups", choicesOf("groups")],
    ["servers", choicesOf("servers")],
  ] as const;
  return (
    <div class="own-control">
      <fieldset>
        {lists.map(([name, choices]) => (
          <Field key={name} label={t(name)}>
            {(id) => (
              <Picks
                id={id}
                isDisabled={isDisabled}
                choices={choices}
                label={t(name)}
                values={match?.[name] ?? []}
                placeholder={common("addOne")}
                onInput={(names) => onInput({ ...match, [name]: names })}
              />
            )}
          </Field>
        ))}
      </fieldset>
    </div>
  );
}

type Step = Route["steps"][number];

/** The receivers of each step, and the minutes between steps. */
export function Steps({ id, value, onInput, isDisabled }: ControlProps) {
  const steps = (Array.isArray(value) ? value : []) as readonly Step[];
  const put = (at: number, change: Partial<Step>): void =>
    onInput(steps.map((step, place) => (place === at ? { ...step, ...change } : step)));
  const last = steps.at(-1)?.after;
  const next: Step = { after: last === undefined ? 0 : last + 15, to: [] };
  return (
    <div class="own-control">
      {steps.map((step, at) => (
        <fieldset key={at}>
          <StepFields step={step} isDisabled={isDisabled} onChange={(change) => put(at, change)} />
          <Remove
            name={stepWords(step)}
            isDisabled={isDisabled}
            onRemove={() => onInput(steps.filter((other) => other !== step))}
          />
        </fieldset>
      ))}
      <Add id={id} isDisabled={isDisabled} onAdd={() => onInput([...steps, next])}>
        {t("addStep")}
      </Add>
    </div>
  );
}

/** For example "after 15 minutes". */
export const stepWords = ({ after }: Step): string => (after === 0 ? t("atOnce") : t("afterMinutes", { n: after }));

type Hours = NonNullable<Route["active"]>[number];

/** Edits ranges of time of day, with weekdays and a time zone. */
export function HoursList({ id, value, onInput, isDisabled }: ControlProps) {
  const hours = (Array.isArray(value) ? value : []) as readonly Hours[];
  const put = (at: number, change: Partial<Hours>): void =>
    onInput(hours.map((one, place) => (place === at ? { ...one, ...change } : one)));
  return (
    <div class="own-control">
      {hours.map((one, at) => (
        <fieldset key={at} disabled={isDisabled}>
          <HoursFields one={one} onChange={(change) => put(at, change)} />
          <Remove
            name={`${one.from} – ${one.to}`}
            isDisabled={isDisabled}
            onRemove={() => onInput(hours.filter((other) => other !== one))}
          />
        </fieldset>
      ))}
      <Add
        id={id}
        isDisabled={isDisabled}
        onAdd={() => onInput([...hours, { from: "08:00", to: "18:00", weekdays: [] }])}
      >
        {t("addHours")}
      </Add>
    </div>
  );
}

/** An empty zone means the configured one. */
const zoneOf = (timezone: string): Partial<Hours> => ({ timezone: timezone || undefined }) as Partial<Hours>;

/** Edits "auto" or a number of seconds. */
export const Wait = ({ id, value, onInput, isDisabled }: ControlProps) => (
  <TextInput
    id={id}
    isDisabled={isDisabled}
    value={String(value ?? "auto")}
    onInput={(text) => onInput(/^\d+$/.test(text) ? Number(text) : text)}
  />
);

/** Edits the times of day at which a route sends its notices together; none = at once. */
export function Digest({ id, value, onInput, isDisabled }: ControlProps) {
  const digest = (value ?? undefined) as Route["digest"];
  return (
    <Picks
      id={id}
      isDisabled={isDisabled}
      label={t("digest")}
      choices={[]}
      isFree
      placeholder="08:00"
      values={digest?.at ?? []}
      onInput={(at) => onInput(at.length > 0 ? { ...digest, at: [...at] } : null)}
    />
  );
}

interface StepFieldsProps {
  readonly step: Step;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<Step>) => void;
}

function StepFields({ step, isDisabled, onChange }: StepFieldsProps) {
  const receivers = useReceivers().data.value ?? [];
  return (
    <>
      <Field label={t("after")}>
        {(control) => (
          <TextInput
            id={control}
            isDisabled={isDisabled}
            type="number"
            value={String(step.after)}
            onInput={(text) => onChange({ after: Number(text) })}
          />
        )}
      </Field>
      <Field label={t("to")}>
        {(control) => (
          <Picks
            id={control}
            isDisabled={isDisabled}
            label={t("to")}
            values={step.to}
            placeholder={common("addOne")}
            choices={receivers.map((each) => ({ value: each.id, title: each.title }))}
            onInput={(to) => onChange({ to: [...to] })}
          />
        )}
      </Field>
    </>
  );
}

interface HoursFieldsProps {
  readonly one: Hours;
  readonly onChange: (change: Partial<Hours>) => void;
}

const HoursFields = ({ one, onChange }: HoursFieldsProps) => (
  <>
    {(["from", "to"] as const).map((side) => (
      <Field key={side} label={t(side === "from" ? "from" : "until")}>
        {(control) => (
          <TextInput id={control} type="time" value={one[side]} onInput={(text) => onChange({ [side]: text })} />
        )}
      </Field>
    ))}
    <Field label={t("zone")}>
      {(control) => <TextInput id={control} value={one.timezone ?? ""} onInput={(zone) => onChange(zoneOf(zone))} />}
    </Field>
    <PickList
      label={t("weekdays")}
      choices={weekdays()}
      value={(one.weekdays ?? []).map(String)}
      onInput={(days) => onChange({ weekdays: days.map(Number) })}
    />
  </>
);
