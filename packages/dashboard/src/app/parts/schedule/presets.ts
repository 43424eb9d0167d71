import type { Entry } from "../entries/members.ts";

export const KINDS = ["minutes", "hour", "day", "week", "month"] as const;
export type Kind = (typeof KINDS)[number];

type Lists = Readonly<Record<"minutes" | "hours" | "days" | "months" | "weekdays", readonly number[]>>;
const NONE: Lists = { minutes: [], hours: [], days: [], months: [], weekdays: [] };
const WORKDAYS = [1, 2, 3, 4, 5];
const PRESETS: Readonly<Record<Kind, Lists>> = {
  minutes: { ...NONE, minutes: [0, 15, 30, 45] },
  hour: { ...NONE, minutes: [0] },
  day: { ...NONE, minutes: [30], hours: [2] },
  week: { ...NONE, minutes: [0], hours: [8], weekdays: WORKDAYS },
  month: { ...NONE, minutes: [0], hours: [3], days: [1] },
};

const listIn = (trigger: Entry, name: string): readonly number[] =>
  (trigger[name] as readonly number[] | undefined) ?? [];

/** The preset that a schedule follows, at any time of the day; undefined for any other schedule. */
export function kindOf(trigger: Entry): Kind | undefined {
  const [minutes, hours, days, weekdays] = ["minutes", "hours", "days", "weekdays"].map((name) =>
    listIn(trigger, name),
  );
  if (!minutes?.length || listIn(trigger, "years").length > 0 || listIn(trigger, "months").length > 0) return undefined;
  const named = [hours, days, weekdays].map((list) => (list?.length ? "x" : "-")).join("");
  if (named === "---") return minutes.length > 1 ? "minutes" : "hour";
  if (named === "x-x") return weekdays?.toSorted().join() === WORKDAYS.join() ? "week" : undefined;
  return named === "x--" ? "day" : named === "xx-" ? "month" : undefined;
}

/** The lists of a preset; keeps the schedule's time of the day. */
export function listsOf(kind: Kind, trigger: Entry): Lists {
  const [minutes, hours] = [listIn(trigger, "minutes"), listIn(trigger, "hours")];
  const lists = PRESETS[kind];
  const isTimed = lists.hours.length > 0 && hours.length > 0 && minutes.length > 0;
  return isTimed ? { ...lists, minutes, hours } : lists;
}
