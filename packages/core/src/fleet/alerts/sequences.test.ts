import fc from "fast-check";
import { expect, test } from "vitest";
import { type Fleet, startFleet } from "../../../test/fleet/fleet.ts";
import { rounds } from "../../../test/rounds.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { invocationCollection } from "./collection.ts";

const SERVERS = rounds(60, 170);
const MINUTES = 12;
/** Number of samples that each of the alerts requires. */
const ALERTS = [1, 2, 3] as const;

interface Change {
  readonly minute: number;
  readonly action: "alert_new" | "alert_cleared";
}

/** The contract's loop (docs/contract/alerts.md#samples, docs/contract/alerts.md#transitions), word for word. */
function reference(holds: readonly boolean[], samples: number): Change[] {
  const changes: Change[] = [];
  let warm: { count: number; notified: boolean } | undefined;
  for (const [minute, result] of holds.entries()) {
    if (result) {
      warm ??= { count: 0, notified: false };
      warm.count = Math.min(warm.count + 1, samples);
    } else if (warm) warm.count = Math.max(warm.count - 1, 0);
    if (!warm) continue;
    if (warm.count >= samples && !warm.notified) {
      warm.notified = true;
      changes.push({ minute, action: "alert_new" });
    }
    if (warm.count > 0) continue;
    if (warm.notified) changes.push({ minute, action: "alert_cleared" });
    warm = undefined;
  }
  return changes;
}

const connectAll = (fleet: Fleet): Promise<ScriptedServer[]> =>
  Promise.all(
    Array.from({ length: SERVERS }, (_unused, index) =>
      fleet.agent.connect({ hostname: `host${index}`, id: `s${index}` }),
    ),
  );

/**
 * Each run has one sequence per server and alert, with restarts between the samples. `npm run soak` does four runs of
 * 510.
 */
const SEEDS = process.env["SIGNALBOX_HISTORIES"] === undefined ? [1] : [1, 2, 3, 4];

test.each(SEEDS)(
  "any sequence fires and clears as the contract says, once each, despite restarts between samples (%i)",
  { timeout: 240_000 },
  async (seed) => {
    const pattern = fc.array(fc.boolean(), { minLength: MINUTES, maxLength: MINUTES });
    const sequences = fc.sample(fc.array(pattern, { minLength: 3, maxLength: 3 }), { seed, numRuns: SERVERS });
    const restarts = fc.sample(fc.boolean(), { seed, numRuns: MINUTES });
    const clock = fakeClock(1_800_000_001);
    const storage = memoryStorage({ clock });
    let fleet = await startFleet({ storage, clock });
    for (const [index, samples] of ALERTS.entries())
      await fleet.signalbox.api.createAlert({
        id: `a${index}`,
        title: `A${index}`,
        expression: `load[${index}] > 5`,
        message: "{{ load }}",
        samples,
      });
    let servers = await connectAll(fleet);
    const started = Math.floor(clock.now() / 60);
    for (let minute = 0; minute < MINUTES; minute++) {
      await clock.advanceTo((started + minute + 1) * 60 + 1);
      for (const [index, server] of servers.entries()) {
        const load = (sequences[index] ?? []).map((holds) => (holds[minute] ? 9 : 1));
        server.send("monitor", { version: "1.0", date: clock.now(), data: { load } });
      }
      await fleet.settle();
      if (!restarts[minute]) continue;
      await fleet.signalbox.stop();
      fleet = await startFleet({ storage, clock });
      servers = await connectAll(fleet);
    }
    const rows = await storage.read((tx) => tx.collection(activityCollection).list());
    const told = new Map<string, Change[]>();
    for (const { action, epoch, server, alert } of rows as unknown as Told[]) {
      if (action !== "alert_new" && action !== "alert_cleared") continue;
      const key = `${server} ${alert.alert}`;
      told.set(key, [...(told.get(key) ?? []), { minute: Math.floor(epoch / 60) - started - 1, action }]);
    }
    expect(told.size).toBeGreaterThan(SERVERS);
    const invocations = await storage.read((tx) => tx.collection(invocationCollection).list());
    for (const [index, patterns] of sequences.entries())
      for (const [at, samples] of ALERTS.entries()) {
        const expected = reference(patterns[at] ?? [], samples);
        expect(told.get(`s${index} a${at}`) ?? []).toEqual(expected);
        const mine = invocations.filter(({ server, alert }) => server === `s${index}` && alert === `a${at}`);
        const fired = expected.filter(({ action }) => action === "alert_new").length;
        const cleared = expected.length - fired;
        expect([mine.length, mine.filter(({ active }) => active).length]).toEqual([fired, fired - cleared]);
      }
    await fleet.signalbox.stop();
  },
);

interface Told extends Pick<Change, "action"> {
  readonly epoch: number;
  readonly server: string;
  readonly alert: { readonly alert: string };
}
