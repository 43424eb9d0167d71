import { expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { clockFault, createClockWatch } from "./services/clock-watch.ts";

const start = useFleets();

test.each([
  [0, undefined],
  [5, undefined],
  [-5, undefined],
  [5.6, "6 seconds ahead of"],
  [-3600, "3600 seconds behind"],
])("a clock that is %d seconds ahead is %s the other", (off, expected) => {
  expect(clockFault(off)).toBe(expected);
});

test("a leader whose clock differs from the clock of the database logs it once an hour", async () => {
  const { plugin, cradle } = cradleProbe();
  const fleet = await start({ plugins: [plugin] });
  const { clock, nodes, storage, transact } = cradle();
  const off = { sec: 0 };
  const gone = { ms: 0 };
  const watch = createClockWatch({
    ...{ storage, transact },
    clock: { ...clock, now: () => clock.now(), monotonicMs: () => gone.ms },
    nodes: { ...nodes, nowMs: () => nodes.nowMs() - off.sec * 1000 },
  });
  const warnings = async () =>
    (await fleet.signalbox.api.searchActivity({ query: "action:warning", limit: 9 })).rows.map(
      (row) => row["description"],
    );
  await watch();
  expect(await warnings()).toEqual([]);
  off.sec = 12;
  await watch();
  await watch();
  const { nodeId } = storage.coordination;
  const said = `The clock of node ${nodeId}, which decides about notices, is 12 seconds ahead of that of the database.`;
  expect(await warnings()).toEqual([said]);
  gone.ms += 3_599_000;
  await watch();
  expect(await warnings()).toEqual([said]);
  gone.ms += 1000;
  await watch();
  expect(await warnings()).toEqual([said, said]);
});
