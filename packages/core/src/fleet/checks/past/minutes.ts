import type { Cradle } from "../../../kernel/container.ts";
import type { Check } from "../model.ts";
import type { CheckService } from "../service.ts";
import { seriesOf } from "../services/note.ts";
import { createPastCheck } from "./standing.ts";

/** Replays past values of checks for alerts from their timelines. Minutes without a result are left out. */
export function createPastOf({ alerts }: Pick<Cradle, "alerts">, judged: () => readonly Check[]): CheckService["past"] {
  return async function* past(id, span) {
    const check = judged().find((each) => each.id === id);
    if (!check) return;
    const next = createPastCheck(check);
    for await (const { date, count, totals, counts = {} } of alerts.pointsOf(span, seriesOf(id))) {
      const average = (name: string): number | undefined =>
        totals[name] === undefined ? undefined : totals[name] / Math.max(counts[name] ?? count, 1);
      const { up = 0, ms, days_left } = { up: average("up"), ms: average("ms"), days_left: average("days_left") };
      yield { date, context: next({ date, count, up, ms, days_left }) };
    }
  };
}
