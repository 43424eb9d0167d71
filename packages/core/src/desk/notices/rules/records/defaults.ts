import type { NewStamp } from "../../../../wire/fields/stamps.ts";
import type { Receiver, Route } from "../../model.ts";
import { newReceiver, newRoute } from "./records.ts";

const HOUR = 3600;

/** All active administrators. */
const ADMINS = { id: "admins", title: "Administrators", type: "user", users: ["@admins"] } as const;

const first = { after: 0, to: [ADMINS.id] };

/** Routes of a fresh store, in the order in which they are evaluated. */
const ROUTES = [
  {
    id: "urgent",
    title: "Critical",
    match: { severities: ["critical"] },
    repeat_interval: 4 * HOUR,
    steps: [first, { after: 30, to: [ADMINS.id] }],
  },
  {
    id: "normal",
    title: "Warnings",
    match: { severities: ["warning"] },
    repeat_interval: 24 * HOUR,
    active: [{ from: "07:00", to: "22:00" }],
    outside: "hold" as const,
    steps: [first],
  },
  {
    id: "quiet",
    title: "Information",
    match: { severities: ["info"] },
    // One notice in the morning for all firings.
    digest: { at: ["08:00"] },
    tell_brief: true,
    group_by: [],
    steps: [first],
  },
];

/** Ids of the routes of a fresh store. */
export const DEFAULT_ROUTES: ReadonlySet<string> = new Set(ROUTES.map(({ id }) => id));

/** The receiver of a fresh store. In an older store it is disabled, so that nobody new is notified until a person enables it. */
export const defaultReceiver = (stamp: Omit<NewStamp, "id">, enabled: boolean): Receiver =>
  newReceiver({ ...ADMINS, users: [...ADMINS.users], enabled }, { ...stamp, id: ADMINS.id });

/** The routes of a fresh store, with sort orders beginning at `from`. */
export const defaultRoutes = (stamp: Omit<NewStamp, "id">, { enabled, from }: { enabled: boolean; from: number }) =>
  ROUTES.map((route, at): Route => newRoute({ ...route, enabled }, { ...stamp, id: route.id }, from + at));
