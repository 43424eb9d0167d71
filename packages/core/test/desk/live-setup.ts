import type { LiveUpdate } from "../../src/desk/live/model.ts";
import type { UpdateStream } from "../../src/desk/live/operations.ts";
import { type Actor, systemActor } from "../../src/kernel/calls/context.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { cradleProbe, START, startEngine } from "../engine.ts";
import { jobRecords } from "../work/job-records.ts";

export type Members = Record<string, unknown>;

export async function setUp() {
  const clock = fakeClock(START);
  const storage = memoryStorage({ clock });
  const probe = cradleProbe();
  const engine = await startEngine({ clock, storage, plugins: [probe.plugin] });
  const turn = (): Promise<void> => clock.advance(0.2);
  return {
    ...engine,
    ...{ clock, storage, turn, cradle: probe.cradle },
    jobs: jobRecords(storage),
    /** Opens a stream and collects its updates, separately from its statuses. */
    async listen(input: Members = {}, actor: Actor = systemActor, signal?: AbortSignal) {
      const call = { operation: "stream_updates", input, actor, ...(signal ? { signal } : {}) };
      const { updates } = (await engine.execute(call)) as UpdateStream;
      const [seen, statuses]: [LiveUpdate[], LiveUpdate[]] = [[], []];
      const state = { closed: false };
      const read = async (): Promise<void> => {
        for await (const update of updates) (update.cmd === "status" ? statuses : seen).push(update);
        state.closed = true;
      };
      const reading = read();
      await turn();
      return { seen, statuses, state, reading, leave: () => updates.return?.() };
    },
  };
}

export const names = (seen: readonly LiveUpdate[]): string[] => seen.map(({ cmd }) => cmd);

/** The data of the first update of a kind. */
export const dataOf = (seen: readonly LiveUpdate[], cmd: string): Members | undefined =>
  seen.find((update) => update.cmd === cmd)?.data as Members | undefined;

export const lastOf = (seen: readonly LiveUpdate[], cmd: string): Members | undefined =>
  seen.findLast((update) => update.cmd === cmd)?.data as Members | undefined;

export const lastId = (...lists: readonly LiveUpdate[][]): string =>
  lists.flat().findLast(({ id }) => id !== undefined)?.id ?? "";
