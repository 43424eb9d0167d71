import { expect, test } from "vitest";
import { type Fleet, useFleets } from "../../../../../test/fleet/fleet.ts";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { hostCollection, serverCollection } from "../../collection.ts";
import type { Server } from "../../model.ts";

const start = useFleets();
const NIGHT = 1_800_000_000 - 4 * 3600;

const record = (id: string): Server => ({
  ...{ id, hostname: id, ip: "10.0.0.1", enabled: true, groups: [], autoGroup: false, created: 1, modified: 1 },
  info: {},
});
const stored = async ({ storage }: Fleet): Promise<string[]> =>
  (await storage.read((tx) => tx.collection(serverCollection).list())).map(({ id }) => id).toSorted();
const plant = ({ storage }: Fleet, ids: readonly string[]) =>
  storage.write(async (tx) => {
    for (const id of ids) await tx.collection(serverCollection).insert(record(id));
  });

/** An engine one minute before its nightly maintenance. */
const beforeNight = (max_rows: number) =>
  start({
    clock: fakeClock(NIGHT - 60),
    config: { tz: "UTC", maintenance: "04:00", db_maint: { servers: { max_rows } } } as never,
  });

test("the oldest ids are deleted at night, down to the number to keep", async () => {
  const fleet = await beforeNight(3);
  await plant(fleet, ["s1", "s2", "s3", "s4", "s5"]);
  await fleet.clock.advance(30);
  expect(await stored(fleet)).toHaveLength(5);
  const deleted: string[] = [];
  fleet.signalbox.events.on("server.deleted", ({ id }) => void deleted.push(id));
  await fleet.clock.advance(60);
  expect(await stored(fleet)).toEqual(["s3", "s4", "s5"]);
  expect(deleted).toEqual(["s1", "s2"]);
});

test("connected servers stay, and so do servers that another node had contact with within the hour", async () => {
  const fleet = await beforeNight(1);
  const agent = await fleet.agent.connect({ hostname: "a", id: "s1" });
  await plant(fleet, ["s2", "s3", "s4"]);
  await fleet.storage.write((tx) =>
    tx.collection(hostCollection).insert({
      ...{ id: "s2", version: "1.0", date: fleet.clock.now(), server: "s2", hostname: "s2", ip: "" },
      ...{ groups: [], data: {} },
    }),
  );
  await fleet.clock.advance(120);
  expect(await stored(fleet)).toEqual(["s1", "s2"]);
  expect(agent.isOpen).toBe(true);
});

test("many are deleted in one night", async () => {
  const fleet = await beforeNight(10);
  await plant(
    fleet,
    Array.from({ length: 460 }, (_value, n) => `s${String(n).padStart(4, "0")}`),
  );
  await fleet.clock.advance(120);
  expect((await stored(fleet))[0]).toBe("s0450");
});

test("servers that disconnected are forgotten at midnight", async () => {
  const fleet = await start({ clock: fakeClock(1_800_000_000 - 8 * 3600 - 120), config: { tz: "UTC" } });
  (await fleet.agent.connect({ hostname: "a", id: "s1" })).close();
  const agent = await fleet.agent.connect({ hostname: "b", id: "s2" });
  await fleet.clock.advance(61);
  const { servers } = await recentOf(fleet);
  expect(servers).toEqual(["s1"]);
  await fleet.clock.advance(120);
  expect((await recentOf(fleet)).servers).toEqual([]);
  expect(agent.isOpen).toBe(true);
});

/** Offline servers in a group snapshot. */
async function recentOf({ signalbox: { api } }: Fleet) {
  const { id } = await api.createGroupSnapshot({ group: "main" });
  const { snapshot } = await api.getSnapshot({ id });
  const servers = (snapshot as unknown as { servers: { id: string; offline: boolean }[] }).servers;
  return { servers: servers.filter(({ offline }) => offline).map((server) => server.id) };
}
