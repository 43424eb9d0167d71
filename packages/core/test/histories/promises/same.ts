import type { Notice } from "../../../src/desk/notices/model.ts";
import type { Cell } from "../plan.ts";
import type { Recorded } from "../record.ts";
import { lengthOf, overlap, type Span } from "./spans.ts";

/** Seconds by which restarts and changes of the leader may delay a notice. */
const LATE = 12;
/** Seconds before the end of two records in which one may be further ahead than the other. */
const TAIL = 150;

/** Minutes in which a change of samples may still become a firing or its end. */
const EFFECT = 3;

/**
 * Whether nothing fires or ends in the minute in which a person comes on duty: leaders notice that some seconds apart from each
 * other, and so report the firings that are live before or after it.
 */
const isStillAt = (handOver: number, minutes: Cell["minutes"]): boolean =>
  minutes.every((all) => new Set([0, ...all].slice(Math.max(0, handOver - EFFECT), handOver + 1)).size === 1);

/** Whether troubles of nodes must not change a history's notices, because nothing in it depends on a few seconds. */
export const isCalm = ({ receivers, routes, minutes, silences, acks, watched }: Cell): boolean =>
  receivers.every(({ way, max_per_hour }) => way === "well" && max_per_hour === 0) &&
  receivers.every(({ type, handOver }) => type !== "rota" || isStillAt(handOver, minutes)) &&
  routes.length === 1 &&
  routes.every(({ group_wait }) => group_wait === 15 || group_wait === 75) &&
  routes.every(({ repeat_interval }) => repeat_interval === 0) &&
  minutes.every((all) => !all.includes(null)) &&
  silences.every(({ isDeleted }) => isDeleted) &&
  watched.length === 0 &&
  acks.every(({ expires }) => expires === undefined);

/** Names firings independently of ids, which differ from play to play: the nth firing of an alert on a server. */
function namesIn({ firings }: Recorded): ReadonlyMap<string, string> {
  const keys = Map.groupBy(firings, ({ alert, server }) => `${alert} ${server}`);
  return new Map(
    [...keys].flatMap(([key, all]) =>
      all.toSorted((a, b) => a.fired - b.fired).map(({ id }, at) => [id, `${key} ${at}`] as const),
    ),
  );
}

interface Line {
  readonly text: string;
  readonly date: number;
}

function linesOf(recorded: Recorded): ReadonlyMap<string, readonly Line[]> {
  const names = namesIn(recorded);
  const list = (ids: readonly string[], sign: string): string[] =>
    ids.map((id) => `${sign}${names.get(id) ?? id}`).toSorted();
  const keys = new Map(recorded.problems.map(({ id, key, opened }) => [id, `${key} ${opened}`]));
  const own = recorded.notices.filter(({ in_place_of }) => in_place_of === undefined);
  const lineOf = (notice: Notice): Line => ({
    text: [notice.kind, ...list(notice.new, "+"), ...list(notice.repeated, "="), ...list(notice.over, "-")].join(" "),
    date: notice.date,
  });
  const sides = Map.groupBy(own, ({ route, receiver, problem }) =>
    [route, receiver, keys.get(problem)?.replace(/ \d+$/, "")].join(" "),
  );
  return new Map(
    [...sides].map(([side, all]) => [side, all.toSorted((a, b) => a.date - b.date || a.seq - b.seq).map(lineOf)]),
  );
}

/** Differences between a history and the same one in which nodes came and went. */
export function differences(calm: Recorded, troubled: Recorded): string[] {
  const outage = troubled.away.reduce((sum, span) => sum + lengthOf(span), 0);
  const [expected, met] = [linesOf(calm), linesOf(troubled)];
  return [...new Set([...expected.keys(), ...met.keys()])].flatMap((side) => {
    const [before, after] = [expected.get(side) ?? [], met.get(side) ?? []];
    const isEarly = ({ date }: Line): boolean => date < calm.end - TAIL;
    const count = Math.max(before.filter(isEarly).length, after.filter(isEarly).length);
    return Array.from({ length: count }, (_each, at) => differenceAt(before[at], after[at], outage + LATE * 2)).flatMap(
      (fault) => (fault === undefined ? [] : [`${side}: ${fault}`]),
    );
  });
}

function differenceAt(one: Line | undefined, other: Line | undefined, late: number): string | undefined {
  if (one?.text !== other?.text) return `"${one?.text}" became "${other?.text}"`;
  const by = (other?.date ?? 0) - (one?.date ?? 0);
  return Math.abs(by) > late ? `"${one?.text}" came ${by} s later` : undefined;
}

/**
 * News that the additional silence caused in a history before its own end. A firing that is only reported sooner, because less
 * was reported before it, does not count.
 */
export function additions(plain: Recorded, silenced: Recorded, silence: Span): string[] {
  const [known, names] = [namesIn(plain), namesIn(silenced)];
  const before = new Map(plain.firings.map((firing) => [known.get(firing.id), firing]));
  return silenced.notices
    .filter(({ date, in_place_of }) => date < silence.to && in_place_of === undefined)
    .flatMap((notice) =>
      notice.new.flatMap((id) => {
        const name = names.get(id) ?? id;
        const { group_wait = 0, group_interval = 0 } = plain.routes.find((each) => each.id === notice.route) ?? {};
        const until = notice.date + group_wait + group_interval + LATE;
        const isToo = plain.notices.some(
          ({ receiver, date, new: news }) =>
            receiver === notice.receiver && date <= until && news.some((other) => known.get(other) === name),
        );
        const { ended = plain.end, maybeHeld = [] } = before.get(name) ?? {};
        const isElse = ended <= until || overlap(maybeHeld, [{ from: notice.date, to: until }]).length > 0;
        const wasFull = plain.decisions.some(({ by, receiver }) => by?.kind === "rate" && receiver === notice.receiver);
        return isToo || isElse || wasFull
          ? []
          : [`${name} was told to ${notice.receiver} although less was to be told`];
      }),
    );
}
