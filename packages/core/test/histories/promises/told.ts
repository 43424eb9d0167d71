import type { Notice } from "../../../src/desk/notices/model.ts";
import { firstOf, livesOf, type Promised, type Recorded, type RouteRules } from "../record.ts";
import { isWithin, lengthOf, overlap, type Span, without } from "./spans.ts";

/** Seconds by which a decision may come late. */
const LATE = 12;

/** Notices that routes sent to a receiver, without those to fallbacks, which only replace others. */
const decidedFor = ({ notices }: Recorded, receiver: string): Notice[] =>
  notices.filter((notice) => notice.receiver === receiver && notice.in_place_of === undefined);

const matches = ({ match }: RouteRules, severity: string): boolean => match.length === 0 || match.includes(severity);

const receiversOf = (recorded: Recorded): string[] => [...new Set(recorded.routes.flatMap(({ named }) => named))];

/** The first receivers of its routes are notified of a firing that nothing holds back for long enough. */
export const isTold: Promised = (recorded) =>
  recorded.routes.flatMap((route) =>
    livesOf(recorded).flatMap((life) =>
      firstOf(route, spanOf(life)).flatMap((receiver) =>
        isKept(recorded, { route, life, receiver }) ? [] : [missing(life, receiver, route)],
      ),
    ),
  );

const spanOf = (life: Life): Span => ({
  from: Math.min(...life.map(({ fired }) => fired)),
  to: Math.max(...life.map(({ ended = Number.POSITIVE_INFINITY }) => ended)),
});

const missing = (life: Life, receiver: string, { id }: RouteRules): string =>
  `${life[0]?.id} was free and not told to ${receiver} by ${id}`;

type Life = ReturnType<typeof livesOf>[number];
interface Owed {
  readonly route: RouteRules;
  readonly life: Life;
  readonly receiver: string;
}

function isKept(recorded: Recorded, { route, life, receiver }: Owed): boolean {
  if (!life.some(({ severity }) => matches(route, severity))) return true;
  const ids = new Set(life.map(({ id }) => id));
  const named = decidedFor(recorded, receiver).filter((notice) => notice.new.some((id) => ids.has(id)));
  const most = recorded.perHour[receiver] ?? 0;
  // A history is shorter than an hour, so all notices count.
  const isFull = (until: number): boolean =>
    most > 0 && recorded.notices.filter((each) => each.receiver === receiver && each.date <= until).length >= most;
  const taken = life.flatMap((each) => each.taken);
  return life.every((firing) => {
    // A receiver that was notified of the end is notified of the next firing.
    const ends = decidedFor(recorded, receiver).filter(({ date }) => date <= firing.fired);
    const since = Math.max(0, ...ends.flatMap(({ over, date }) => (over.some((id) => ids.has(id)) ? [date] : [])));
    const known = named.map(({ date }) => date).filter((date) => date > since);
    // A person who took one firing of a flapping alert has taken the later ones too.
    const seen = { ...firing, maybeHeld: [...firing.maybeHeld, ...taken] };
    return freeSpans(recorded, route, seen).every(
      (span) =>
        isFull(span.from + dueSec(route)) ||
        known.some((date) => date <= span.from + dueSec(route) || date <= firing.fired),
    );
  });
}

const dueSec = ({ group_wait, group_interval }: RouteRules): number => group_wait + group_interval + LATE;

/** Spans in which nothing holds a notice back, and that are long enough for one. */
function freeSpans({ away, end }: Recorded, route: RouteRules, firing: Recorded["firings"][number]): Span[] {
  const life = { from: firing.fired, to: Math.min(firing.ended ?? end, end) };
  const free = without(life, firing.maybeHeld);
  const times = route.digests ? digestSpans(route, free) : overlap(free, route.open);
  return times.flatMap((span) => without(span, away)).filter((span) => lengthOf(span) > dueSec(route));
}

/** Spans around the digests at which the firing is not held: only a digest reports it. */
const digestSpans = ({ digests = [], open, ...route }: RouteRules, free: readonly Span[]): Span[] =>
  digests
    .filter((at) => isWithin(free, at - LATE) && isWithin(free, at + LATE) && isWithin(open, at))
    .map((at) => ({ from: at, to: at + dueSec({ ...route, open }) + 1 }));

/** A firing is news once, is not repeated too soon, and is not repeated while it is acknowledged. */
export const isToldOnce: Promised = (recorded) =>
  receiversOf(recorded).flatMap((receiver) => {
    const own = decidedFor(recorded, receiver);
    return recorded.firings.flatMap((firing) => [
      ...twice(own, firing.id, receiver),
      ...tooSoon(own, firing.id, recorded),
      ...whileTaken(own, firing),
    ]);
  });

const isGiven = ({ outcome }: Notice): boolean => outcome !== "skipped" && outcome !== "failed";

function twice(own: readonly Notice[], id: string, receiver: string): string[] {
  const news = own.filter((notice) => notice.new.includes(id) && isGiven(notice));
  return news.length > 1 ? [`${id} was news to ${receiver} ${news.length} times`] : [];
}

function tooSoon(own: readonly Notice[], id: string, { routes }: Recorded): string[] {
  return routes.flatMap(({ id: route, repeat_interval, group_interval }) => {
    const named = own.filter(
      (each) =>
        each.route === route && each.repeated.includes(id) && (each.kind === "repeat" || each.kind === "update"),
    );
    const dates = named.map(({ date }) => date).toSorted((a, b) => a - b);
    // News that is due soon is added to a repetition.
    const least = repeat_interval - group_interval - 1;
    return dates.some((date, at) => at > 0 && date - (dates[at - 1] ?? 0) < least)
      ? [`${id} was repeated too soon`]
      : [];
  });
}

function whileTaken(own: readonly Notice[], { id, taken }: Recorded["firings"][number]): string[] {
  const news = own.filter((each) => [...each.new, ...each.repeated].includes(id));
  const wrong = news.filter(({ date }) => taken.some(({ from, to }) => date >= from + LATE && date < to));
  return wrong.map(({ kind }) => `${id} was told as ${kind} while it was acknowledged`);
}

/** Notices about one problem keep their minimum distance, and notices about a silenced firing wait. */
export const isBounded: Promised = (recorded) =>
  recorded.routes.flatMap((route) =>
    receiversOf(recorded).flatMap((receiver) => {
      const own = decidedFor(recorded, receiver).filter(
        (each) => each.route === route.id && each.kind !== "acknowledged",
      );
      return [...Map.groupBy(own, ({ problem }) => problem).values()].flatMap((all) => crowded(all, route));
    }),
  );

function crowded(all: readonly Notice[], { group_interval, digests }: RouteRules): string[] {
  const inOrder = all
    .filter((each) => !each.hand_over && each.resent === undefined)
    .toSorted((a, b) => a.date - b.date);
  return inOrder.flatMap((notice, at) => {
    const before = inOrder[at - 1];
    const isFree =
      ["cleared", "escalation"].includes(notice.kind) || notice.repeated.length > 0 || digests !== undefined;
    return before && !isFree && notice.date - before.date < group_interval - 1
      ? [`${notice.kind} came ${notice.date - before.date} s after ${before.kind}`]
      : [];
  });
}

/** Firings held by a silence are not news while it lasts. */
export const isQuiet: Promised = ({ firings, notices }) =>
  firings.flatMap(({ id, held }) =>
    notices
      .filter((notice) => notice.new.includes(id) && notice.in_place_of === undefined)
      .filter(({ date }) => held.some(({ from, to }) => date > from + LATE && date < to - 1))
      .map(({ kind }) => `${id} was told as ${kind} while it was silenced`),
  );
