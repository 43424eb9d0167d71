import { credentials, defineCommand, definePlugin } from "@signalbox/core/plugin";
import type { TimelinePoint } from "@signalbox/core/storage";
import * as z from "zod";
import { createRandom } from "./timeline-data.ts";

/** Writes points into a timeline, as the engine does when it aggregates minutes; no operation accepts them. */
export const historyPlugin = definePlugin({
  id: "bench.history",
  operations: [
    defineCommand({
      name: "bench_fill_hours",
      method: "POST",
      summary: "Fill the list of hours of a server.",
      access: credentials,
      input: z.looseObject({ server: z.string(), points: z.custom<TimelinePoint[]>() }),
      output: z.object({}),
      async handler({ server, points }, { tx }) {
        await tx.timeline.putMany(points.map((point) => ({ server, system: "monthly", point })));
        return {};
      },
    }),
  ],
});

interface Monitor {
  readonly id: string;
  readonly data_type: string;
  readonly delta?: unknown;
}

const HOUR = 3600;
const MINUTES = 60;
/** Largest reading of each type, and its number of decimals, as satellites send it. */
const KINDS: Readonly<Record<string, readonly [most: number, digits: number]>> = {
  float: [100, 2],
  integer: [500, 0],
  bytes: [16e9, 0],
};

/** Hours starting at a bucket, each the sum of sixty readings; for counters also the sum of their changes. */
export function hoursOf(monitors: readonly Monitor[], first: number, count: number): TimelinePoint[] {
  const random = createRandom(18);
  const walks = monitors.map(({ id, data_type, delta }) => {
    const [most, digits] = KINDS[data_type] ?? [100, 2];
    return { id, most, scale: 10 ** digits, isCounter: Boolean(delta), value: most / 3 };
  });
  return Array.from({ length: count }, (_, hour) => {
    const [totals, deltas]: [Record<string, number>, Record<string, number>] = [{}, {}];
    for (const walk of walks) {
      const { id, most, scale, isCounter } = walk;
      let sum = 0;
      for (let minute = 0; minute < MINUTES; minute += 1) {
        const next = walk.value + (random() - 0.5) * most * 0.02;
        walk.value = Math.round(Math.min(most, Math.max(0, next)) * scale) / scale;
        sum += walk.value;
      }
      totals[id] = isCounter ? sum * MINUTES : sum;
      if (isCounter) deltas[id] = sum / MINUTES;
    }
    return { epoch_div: first + hour, date: (first + hour) * HOUR, count: MINUTES, totals, deltas };
  });
}
