import { describe, expect, test } from "vitest";
import { type Fleet, limitedTo, useFleets } from "../../../test/fleet/fleet.ts";
import { systemActor } from "../../kernel/calls/context.ts";
import quickmon from "../../testing/fixtures/agent-quickmon.json" with { type: "json" };
import type { UpdateStream } from "./operations.ts";

const start = useFleets();
const LOC = "Readings?group=web&monitors=_qm_cpu_load";

interface Told {
  readonly loc: string;
  readonly page_cmd: string;
  readonly page_data: unknown;
}

/** An engine with servers in groups: `w1` and `w2` in web, `w2` in db as well. */
async function prepare(): Promise<Fleet> {
  const fleet = await start();
  const { api } = fleet.signalbox;
  const groups = { web: "^w", db: "^(w2|d1)$" };
  for (const [id, hostname_match] of Object.entries(groups)) await api.createGroup({ id, title: id, hostname_match });
  for (const id of ["w1", "w2", "d1"]) (await fleet.agent.connect({ hostname: id, id })).send("quickmon", quickmon);
  return fleet;
}

/** Opens the channel with a page, and collects its messages about readings. */
async function look({ signalbox, clock }: Fleet, loc: string, actor = systemActor): Promise<readonly Told[]> {
  const { updates } = (await signalbox.execute({
    ...{ operation: "stream_updates", input: { loc }, actor },
  })) as UpdateStream;
  const seen: Told[] = [];
  void (async () => {
    for await (const { cmd, data } of updates) if (cmd === "page_update") seen.push(data as never);
  })();
  await clock.advance(0.2);
  return seen;
}

const columns = (servers: readonly string[]) => ({
  servers,
  monitors: { _qm_cpu_load: servers.map(() => 1.95) },
});

describe("a viewer of the readings of a group", () => {
  test("gets them every other second", async () => {
    const fleet = await prepare();
    const seen = await look(fleet, LOC);
    await fleet.clock.advance(6);
    expect(seen).toHaveLength(3);
    expect(seen.at(-1)).toEqual({ loc: LOC, page_cmd: "quickmon_columns", page_data: columns(["w1", "w2"]) });
  });

  test("gets them at the same pace after a clock that was ahead is set back", async () => {
    const fleet = await prepare();
    const seen = await look(fleet, LOC);
    await fleet.clock.advance(4);
    fleet.clock.step(-3600);
    await fleet.clock.advance(6);
    expect(seen).toHaveLength(5);
  });

  test.each([
    ["Readings?group=db&monitors=_qm_cpu_load", ["w2", "d1"]],
    ["Readings?group=nobody&monitors=_qm_cpu_load", []],
  ])("at %s gets only its servers", async (loc, servers) => {
    const fleet = await prepare();
    const seen = await look(fleet, loc);
    await fleet.clock.advance(2);
    expect(seen[0]?.page_data).toEqual(columns(servers));
  });

  test("gets all quick monitors where none is named", async () => {
    const fleet = await prepare();
    const seen = await look(fleet, "Readings?group=web");
    await fleet.clock.advance(2);
    expect(seen).toHaveLength(1);
    for (const { page_data } of seen)
      expect(Object.keys((page_data as ReturnType<typeof columns>).monitors)).toHaveLength(8);
  });

  test.each([
    ["in reach", ["web"], [columns(["w1", "w2"])]],
    ["out of reach", ["db"], []],
  ])("in a group %s gets only what a limited caller may see", async (_where, own, expected) => {
    const fleet = await prepare();
    const seen = await look(fleet, LOC, limitedTo(...own));
    await fleet.clock.advance(2);
    expect(seen.map(({ page_data }) => page_data)).toEqual(expected);
  });

  test("gets nothing at a page of something else", async () => {
    const fleet = await prepare();
    const seen = await Promise.all(["Group?id=web", "Readings", "Readings?group="].map((loc) => look(fleet, loc)));
    await fleet.clock.advance(4);
    expect(seen.flat()).toEqual([]);
  });
});

test("readings are serialised once for all callers with the same reach", async () => {
  const fleet = await prepare();
  const seen = await Promise.all(Array.from({ length: 20 }, () => look(fleet, LOC)));
  await fleet.clock.advance(2);
  const [first, ...others] = seen.map((told) => told.at(-1)?.page_data);
  expect(first).toEqual(columns(["w1", "w2"]));
  for (const other of others) expect(other).toBe(first);
});
