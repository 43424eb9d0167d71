import type { Promised } from "../record.ts";
import { lengthOf, overlap, without } from "./spans.ts";

/** Alerts on other subjects than minutes of servers fire on states that last, and on nothing else. */
export const isNoticed: Promised = ({ watched, firings, away, end }) =>
  watched.flatMap(({ alert, bad, within }) => {
    const own = firings.filter((firing) => firing.alert === alert);
    const lives = own.map(({ fired: from, ended: to = end }) => ({ from, to }));
    const late = within + away.reduce((sum, span) => sum + lengthOf(span), 0);
    const missed = bad.filter(
      (span) =>
        without(span, away).some((led) => lengthOf(led) > within) &&
        overlap(lives, [{ from: span.from, to: span.to + within }]).length === 0,
    );
    const odd = own.filter(({ fired }) => !bad.some(({ from, to }) => fired >= from && fired <= to + late));
    return [
      ...missed.map(({ from, to }) => `${alert} did not fire from ${from} to ${to}`),
      ...odd.map(({ fired }) => `${alert} fired at ${fired} on what was well`),
    ];
  });
