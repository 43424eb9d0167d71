import fc from "fast-check";

/** Minutes with samples, and calm minutes after them. */
export const SAMPLED = 16;
export const CALM = 7;
/** Numbers of alerts and servers in a history. */
const ALERTS = 3;
const SERVERS = 2;

export interface AlertPlan {
  readonly severity: "info" | "warning" | "critical";
  readonly samples: number;
  /** Seconds. */
  readonly notice_after: number;
  readonly keep_firing_for: number;
  readonly flap_count: number;
  /** True = in one family with the other alerts that have this flag. */
  readonly isFamily: boolean;
  /** Depends on the first alert. */
  readonly isChild: boolean;
  /** While it is live, alerts of servers that depend on its server are held. */
  readonly isOutage: boolean;
}

/** Kinds of subjects other than minutes of servers. */
export const WATCHED = ["heartbeat", "check", "event", "presence"] as const;
/** Number of the server that goes away. */
export const GONE_SERVER = 1;

/** State of a subject: it reports that it is well, that it is not, or reports nothing. */
type State = "well" | "bad" | "silent";

export interface WatchedPlan {
  readonly kind: (typeof WATCHED)[number];
  readonly alert: AlertPlan;
  /** States by minute. */
  readonly states: readonly State[];
}

/** Outcomes of the attempts to reach a receiver. */
export const WAYS = ["well", "busy", "silent", "gone", "down"] as const;

export interface ReceiverPlan {
  /** Type of the receiver; a rota has two people in turn. */
  readonly type: "mail" | "web_hook" | "rota";
  /** Minute of the history at which the second person of the rota comes on duty. */
  readonly handOver: number;
  readonly way: (typeof WAYS)[number];
  readonly isEnabled: boolean;
  readonly max_per_hour: number;
  /** Number of the receiver that is notified instead. */
  readonly fallback: number | undefined;
}

export interface RoutePlan {
  readonly group_by: readonly ("alert" | "subject" | "severity" | "group")[];
  readonly group_wait: number | "auto";
  readonly group_interval: number;
  readonly repeat_interval: number;
  readonly clear: "all" | "each" | "none";
  readonly tell_brief: boolean;
  /** Minutes of the history between which it is open. */
  readonly open: { readonly from: number; readonly to: number; readonly outside: "skip" | "hold" } | undefined;
  /** Minutes of the history. */
  readonly digest: readonly number[] | undefined;
  /** Minutes, and numbers of receivers. */
  readonly steps: readonly { readonly after: number; readonly to: readonly number[] }[];
  readonly loop: number;
  readonly severities: readonly AlertPlan["severity"][];
  /** Minute at which the first step gets different receivers. */
  readonly change: { readonly at: number; readonly to: readonly number[] } | undefined;
}

/** Times are minutes of the history; `alert` and `server` are numbers, undefined = all. */
export interface SilencePlan {
  readonly from: number;
  readonly to: number;
  readonly alert: number | undefined;
  readonly server: number | undefined;
  readonly isDeleted: boolean;
}

/** An acknowledgement of an alert's live firing on a server. */
export interface AckPlan {
  readonly at: number;
  readonly alert: number;
  readonly server: number;
  readonly notify: boolean;
  /** Minutes after the acknowledgement. */
  readonly expires: number | undefined;
  readonly back: number | undefined;
}

/** A job that keeps the alerts of its server quiet while it runs. Times are minutes. */
export interface JobPlan {
  readonly from: number;
  readonly to: number;
  readonly server: number;
}

/** Minutes between which all alerts of the installation are snoozed. */
export interface SnoozePlan {
  readonly from: number;
  readonly to: number;
}

/** One history: definitions, reports of each server, and what people do. */
export interface Cell {
  readonly alerts: readonly AlertPlan[];
  /** The second server depends on the first. */
  readonly isChained: boolean;
  /** Bits for the alerts whose condition holds, by server and minute; null = no sample arrived. */
  readonly minutes: readonly (readonly (number | null)[])[];
  readonly receivers: readonly ReceiverPlan[];
  readonly routes: readonly RoutePlan[];
  readonly silences: readonly SilencePlan[];
  readonly acks: readonly AckPlan[];
  readonly jobs: readonly JobPlan[];
  /** At most one of each kind. */
  readonly watched: readonly WatchedPlan[];
}

/** Subjects are well before the first minute and after the last. */
export const stateAt = ({ states }: Pick<WatchedPlan, "states">, minute: number): State => states[minute - 1] ?? "well";

/** A trouble of the nodes at a minute. "gap": no node leads for `sec`; "both": two lead for `sec`. */
export interface Trouble {
  readonly at: number;
  readonly what: "restart" | "kill" | "change" | "gap" | "both";
  readonly sec: number;
}

const minute = fc.integer({ min: 1, max: SAMPLED });
const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 2) => fc.option(arbitrary, { nil: undefined, freq });
const severity = fc.constantFrom<AlertPlan["severity"]>("info", "warning", "critical");
const rarely = fc.nat(4).map((chance) => chance === 0);

const alert: fc.Arbitrary<AlertPlan> = fc.record({
  severity,
  samples: fc.constantFrom(1, 1, 2),
  notice_after: fc.constantFrom(0, 0, 65),
  keep_firing_for: fc.constantFrom(0, 0, 120),
  flap_count: fc.constantFrom(0, 2, 3),
  isFamily: rarely,
  isChild: rarely,
  isOutage: rarely,
});

/** States by minute. They begin well, since nothing is known about a subject that never reported. */
const states = fc
  .array(fc.tuple(fc.constantFrom<State>("well", "bad", "silent"), fc.integer({ min: 2, max: 8 })), {
    minLength: 2,
    maxLength: 4,
  })
  .map((spells) => ["well" as const, ...spells.flatMap(([state, length]) => Array<State>(length).fill(state))])
  .map((all) => all.slice(0, SAMPLED));

const watched: fc.Arbitrary<WatchedPlan> = fc.record({
  kind: fc.constantFrom(...WATCHED),
  alert: alert.map((each) => ({ ...each, isFamily: false, isChild: false, isOutage: false })),
  states,
});

/** The same bits for several minutes, because alerts last. */
const spell = fc.tuple(fc.nat(2 ** ALERTS - 1), fc.integer({ min: 1, max: 7 }));
const samples = fc.array(spell, { minLength: 6, maxLength: 12 }).map((spells) => {
  const all = spells.flatMap(([bits, length]) => Array<number | null>(length).fill(bits));
  return all.concat(Array(SAMPLED).fill(0)).slice(0, SAMPLED);
});
const hole = fc.record({ from: minute, length: fc.integer({ min: 1, max: 5 }) });
const holed = fc
  .tuple(samples, maybe(hole, 1))
  .map(([all, gap]) => all.map((bits, at) => (gap && at >= gap.from && at < gap.from + gap.length ? null : bits)));

const receiver: fc.Arbitrary<ReceiverPlan> = fc.record({
  type: fc.constantFrom<ReceiverPlan["type"]>("mail", "web_hook", "rota"),
  handOver: fc.integer({ min: 2, max: SAMPLED }),
  way: fc.constantFrom<ReceiverPlan["way"]>("well", "well", "well", ...WAYS),
  isEnabled: fc.nat(9).map((chance) => chance > 0),
  max_per_hour: fc.constantFrom(0, 0, 0, 3),
  fallback: maybe(fc.nat(2), 1),
});

const to = fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 });
const steps = fc
  .tuple(to, maybe(fc.record({ after: fc.constantFrom(2, 5), to }), 1))
  .map(([first, second]) => [{ after: 0, to: first }, ...(second ? [second] : [])]);

const route: fc.Arbitrary<RoutePlan> = fc.record({
  group_by: fc.constantFrom<RoutePlan["group_by"]>([], ["alert"], ["alert", "subject"], ["severity"], ["group"]),
  group_wait: fc.constantFrom<RoutePlan["group_wait"]>(15, 15, 75, 0, "auto"),
  group_interval: fc.constantFrom(90, 150),
  repeat_interval: fc.constantFrom(0, 180, 300),
  clear: fc.constantFrom<RoutePlan["clear"]>("all", "all", "each", "none"),
  tell_brief: fc.boolean(),
  open: maybe(
    fc.record({
      from: fc.integer({ min: 0, max: 8 }),
      to: fc.integer({ min: 12, max: SAMPLED + CALM }),
      outside: fc.constantFrom<"skip" | "hold">("skip", "hold"),
    }),
    1,
  ),
  digest: maybe(fc.uniqueArray(fc.integer({ min: 4, max: SAMPLED + 4 }), { minLength: 1, maxLength: 3 }), 1),
  steps,
  loop: fc.constantFrom(0, 1),
  severities: fc.constantFrom<RoutePlan["severities"]>([], [], ["critical"], ["warning", "info"]),
  change: maybe(fc.record({ at: minute, to }), 1),
});

const silence: fc.Arbitrary<SilencePlan> = fc
  .record({
    from: minute,
    length: fc.integer({ min: 1, max: 8 }),
    alert: maybe(fc.nat(ALERTS - 1)),
    server: maybe(fc.nat(SERVERS - 1)),
    isDeleted: fc.boolean(),
  })
  .map(({ from, length, ...rest }) => ({ from, to: from + length, ...rest }));

const ack: fc.Arbitrary<AckPlan> = fc.record({
  at: minute,
  alert: fc.nat(ALERTS - 1),
  server: fc.nat(SERVERS - 1),
  notify: fc.boolean(),
  expires: maybe(fc.integer({ min: 1, max: 5 }), 1),
  back: maybe(fc.integer({ min: 1, max: 5 }), 1),
});

const job: fc.Arbitrary<JobPlan> = fc
  .record({ from: minute, length: fc.integer({ min: 1, max: 5 }), server: fc.nat(SERVERS - 1) })
  .map(({ from, length, server }) => ({ from, to: from + length, server }));

const isPresence = ({ kind }: WatchedPlan): boolean => kind === "presence";

/** A history without jobs on a server that goes away. */
const bySubjects = (cell: Cell): Cell => ({
  ...cell,
  jobs: cell.jobs.filter(({ server }) => server !== GONE_SERVER || !cell.watched.some(isPresence)),
});

const drawn: fc.Arbitrary<Cell> = fc.record({
  alerts: fc.tuple(alert, alert, alert).map(([first, ...others]) => [{ ...first, isChild: false }, ...others]),
  isChained: fc.boolean(),
  minutes: fc.array(holed, { minLength: SERVERS, maxLength: SERVERS }),
  receivers: fc.array(receiver, { minLength: 3, maxLength: 3 }),
  routes: fc.array(route, { minLength: 1, maxLength: 2 }),
  silences: fc.array(silence, { maxLength: 2 }),
  acks: fc.array(ack, { maxLength: 3 }),
  jobs: fc.array(job, { maxLength: 1 }),
  watched: fc.uniqueArray(watched, { maxLength: 2, selector: ({ kind }) => kind }),
});
const anyCell = drawn.map(bySubjects);

/** A history in which nothing depends on a few seconds, so that troubles of nodes must not change its notices. */
const calmed = (cell: Cell): Cell => ({
  ...cell,
  minutes: cell.minutes.map((all) => all.map((bits) => bits ?? 0)),
  // If two problems are due at once, either may take the last place within the hour's maximum.
  receivers: cell.receivers.map((each) => ({ ...each, way: "well", max_per_hour: 0 })),
  // If two routes to one receiver are due at once, either may send the notice.
  routes: cell.routes.slice(0, 1).map((each) => ({
    ...each,
    group_wait: each.group_wait === 75 ? 75 : 15,
    // News due together with a repetition, or soon after it, comes in one notice or in two.
    ...{ repeat_interval: 0, loop: 0 },
  })),
  silences: cell.silences.map((each) => ({ ...each, isDeleted: true })),
  acks: cell.acks.map((each) => ({ ...each, expires: undefined })),
  // Left out, because they depend on the clock of the node that leads.
  watched: [],
});

/** Any history, or a calm one. */
export const cells: fc.Arbitrary<Cell> = fc.oneof(anyCell, anyCell.map(calmed));

/** A snooze of all alerts, in one of three stores. */
export const snoozes: fc.Arbitrary<SnoozePlan | undefined> = fc
  .record({ from: minute, length: fc.integer({ min: 1, max: 5 }), chance: fc.nat(2) })
  .map(({ from, length, chance }) => (chance === 0 ? { from, to: from + length } : undefined));

export const troubles: fc.Arbitrary<readonly Trouble[]> = fc
  .uniqueArray(
    fc.record({
      at: fc.integer({ min: 1, max: SAMPLED }),
      what: fc.constantFrom<Trouble["what"]>("restart", "kill", "change", "gap", "both"),
      sec: fc.integer({ min: 5, max: 150 }),
    }),
    { minLength: 2, maxLength: 5, selector: ({ at }) => Math.floor(at / 4) },
  )
  .map((all) => all.toSorted((a, b) => a.at - b.at));
