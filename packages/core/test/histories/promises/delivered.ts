import type { Notice } from "../../../src/desk/notices/model.ts";
import type { Promised, Recorded } from "../record.ts";

/** Notices are numbered without gaps, are sent one after another with one key each, and go to a fallback when they fail. */
export const isDelivered: Promised = (recorded) => [
  ...numbers(recorded),
  ...recorded.notices.flatMap((notice) => [...outcomeOf(notice, recorded), ...insteadOf(notice, recorded)]),
  ...overtaken(recorded),
];

const sideOf = ({ problem, receiver }: Notice): string => `${problem} ${receiver}`;

function numbers({ notices }: Recorded): string[] {
  const own = notices.filter(({ in_place_of }) => in_place_of === undefined);
  return [...Map.groupBy(own, sideOf)].flatMap(([side, all]) => {
    const seqs = all.map(({ seq }) => seq).toSorted((a, b) => a - b);
    return seqs.every((seq, at) => seq === at + 1) ? [] : [`numbers of ${side} are ${seqs}`];
  });
}

/** Seconds within which all attempts of the plan are over. */
const ON_THE_WAY = 360;

function outcomeOf(notice: Notice, { firings, end }: Recorded): string[] {
  const { id, date, outcome, deliveries = [], attempts } = notice;
  if (outcome === "pending") return date < end - ON_THE_WAY && attempts === 0 ? [`${id} was never tried`] : [];
  if (outcome !== "skipped") return deliveries.length > 0 ? [] : [`${id} is ${outcome} without an attempt`];
  const named = [...notice.new, ...notice.repeated];
  const live = firings.filter((firing) => named.includes(firing.id) && firing.ended === undefined);
  return live.map((firing) => `${id} was skipped although ${firing.id} is live`);
}

function insteadOf(notice: Notice, { notices, noFallback }: Recorded): string[] {
  const { id, outcome, in_place_of, kind } = notice;
  if (outcome !== "failed" || in_place_of !== undefined || kind === "acknowledged") return [];
  const isKnown = notices.some((other) => other.in_place_of === id) || noFallback.includes(id);
  return isKnown ? [] : [`${id} failed, and nobody is told in its place`];
}

/** Attempts at a notice start after the last attempt at the previous notice to the same receiver. */
function overtaken({ notices }: Recorded): string[] {
  const own = notices.filter(({ in_place_of }) => in_place_of === undefined);
  return [...Map.groupBy(own, sideOf)].flatMap(([side, all]) => {
    const inOrder = all.toSorted((a, b) => a.seq - b.seq);
    return inOrder.slice(1).flatMap((notice, at) => {
      const last = inOrder[at]?.deliveries?.at(-1)?.date ?? 0;
      const begun = notice.deliveries?.[0]?.date ?? Number.POSITIVE_INFINITY;
      return begun < last ? [`number ${notice.seq} of ${side} overtook the one before`] : [];
    });
  });
}
