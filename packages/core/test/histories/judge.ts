import fc from "fast-check";
import { recordOf } from "./judged.ts";
import { BEGIN } from "./names.ts";
import { type Cell, cells, type SilencePlan, snoozes, type Trouble, troubles } from "./plan.ts";
import { isDelivered } from "./promises/delivered.ts";
import { isHandedOver } from "./promises/duty.ts";
import { endsPromised, endsTold } from "./promises/ends.ts";
import { isNoticed } from "./promises/noticed.ts";
import { isOnRecord } from "./promises/reasons.ts";
import { additions, differences, isCalm } from "./promises/same.ts";
import { isBounded, isQuiet, isTold, isToldOnce } from "./promises/told.ts";
import type { Promised, Recorded } from "./record.ts";
import { type Played, playHistories } from "./world.ts";

/** Promises that every history must keep. */
const PROMISES: Readonly<Record<string, Promised>> = {
  ...{ isTold, isToldOnce, isBounded, isQuiet, endsTold, endsPromised, isOnRecord, isDelivered },
  ...{ isHandedOver, isNoticed },
};

/** Histories that are played side by side; each is played three times. */
const SIDE_BY_SIDE = 5;
export const PLAYED = SIDE_BY_SIDE * 3;

/** One additional silence of the first server, minutes 4 to 9. */
const SILENCE: SilencePlan = { from: 4, to: 9, alert: undefined, server: 0, isDeleted: true };
const SILENCED = { from: BEGIN + SILENCE.from * 60 + 35, to: BEGIN + SILENCE.to * 60 + 35 };

/** Faults in the histories of a seed: as planned, with nodes that come and go, and with one additional silence. */
export async function faultsOf(seed: number): Promise<string[]> {
  const all = fc.sample(cells, { seed, numRuns: SIDE_BY_SIDE });
  const [met = []] = fc.sample(troubles, { seed, numRuns: 1 });
  const [snooze] = fc.sample(snoozes, { seed, numRuns: 1 });
  const quieter = all.map((cell) => ({ ...cell, silences: [...cell.silences, SILENCE] }));
  const plain = await judged("plain", all, await playHistories({ cells: all, snooze, isLooked: true }));
  const troubled = await judged("troubled", all, await playHistories({ cells: all, snooze, troubles: met }));
  const silenced = await judged("silenced", quieter, await playHistories({ cells: quieter, snooze }));
  const compared = all.flatMap((cell, at) => {
    const [one, two, three] = [plain.records[at], troubled.records[at], silenced.records[at]];
    return one && two && three
      ? [...sameness(cell, met, one, two), ...quiet(cell, one, three)].map((text) => `history ${at}, ${text}`)
      : [];
  });
  return [...plain.faults, ...troubled.faults, ...silenced.faults, ...compared].map((text) => `seed ${seed}: ${text}`);
}

interface Judged {
  readonly records: readonly Recorded[];
  readonly faults: readonly string[];
}

async function judged(which: string, plans: readonly Cell[], played: Played): Promise<Judged> {
  const records = plans.map((plan, cell) => recordOf(played, cell, plan));
  const faults = records.flatMap((recorded, at) =>
    Object.entries(PROMISES).flatMap(([name, promised]) =>
      promised(recorded).map((text) => `history ${at}, ${which}, ${name}: ${text}`),
    ),
  );
  const looks = played.changed.map((name) => `${which}: ${name} changed a row`);
  return { records, faults: [...faults, ...looks, ...played.faults.map((text) => `${which}: ${text}`)] };
}

/**
 * Differences caused by troubles of nodes. A gap without a leader may legitimately cause some: notices come later, or not at all.
 */
const sameness = (cell: Cell, met: readonly Trouble[], plain: Recorded, troubled: Recorded): string[] =>
  isCalm(cell) && met.every(({ what }) => what !== "gap") ? differences(plain, troubled) : [];

/**
 * Notices that the additional silence caused. In a family it may legitimately cause some, as a silenced alert inhibits no others.
 */
const quiet = ({ alerts }: Cell, plain: Recorded, silenced: Recorded): string[] =>
  alerts.some(({ isFamily }) => isFamily) ? [] : additions(plain, silenced, SILENCED);
