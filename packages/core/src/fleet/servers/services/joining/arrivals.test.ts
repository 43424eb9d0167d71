import { describe, expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../../../test/engine.ts";
import { activityCollection } from "../../../../directory/activity/collection.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { serverCollection } from "../../collection.ts";
import type { Arrival } from "../../rules/joining/connect.ts";
import { createArrivals } from "./arrivals.ts";

const grouping = { groups: [], test: () => false };
const arrival = (id: string, more: Partial<Arrival> = {}): Arrival => ({
  ...{ id, hostname: `${id}.example`, ip: `10.0.0.${id.slice(1)}`, socketId: `ws-${id}`, now: 1_790_000_000 },
  hello: { hostname: `${id}.example`, info: { os: { platform: "linux" } } } as unknown as Arrival["hello"],
  ...more,
});

/** Arrivals on an engine's real transactions; `fails` = the activity of this server cannot be written. */
async function setUp(fails: (hostname: unknown) => boolean = () => false) {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  const { transact, activity, storage } = probe.cradle();
  const seen: string[] = [];
  engine.events.on("server.added", ({ id, hostname }) => void seen.push(`+${id} ${hostname}`));
  engine.events.on("server.removed", ({ id, hostname }) => void seen.push(`-${id} ${hostname}`));
  let transactions = 0;
  const counting: Cradle["transact"] = (work, options) => {
    transactions += 1;
    return transact(work, options);
  };
  const arrivals = createArrivals({
    ...{ storage, transact: counting },
    activity: {
      ...activity,
      async writeMany(tx, entries) {
        await activity.writeMany(tx, entries);
        if (entries.some(({ entry: { detail } }) => fails(detail["hostname"]))) throw new Error("The log is full");
      },
    },
  });
  return {
    arrivals,
    seen,
    transactions: () => transactions,
    arrive: (...ids: string[]) => Promise.allSettled(ids.map((id) => arrivals.arrived(arrival(id), grouping))),
    servers: () => storage.read((tx) => tx.collection(serverCollection).list()),
    log: async () =>
      (await storage.read((tx) => tx.collection(activityCollection).list()))
        .filter(({ action }) => action.startsWith("server_"))
        .map(({ action, ip, keywords }) => `${action} ${keywords[0]} ${ip}`)
        .toSorted(),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

describe("servers that connect and disconnect at the same time", () => {
  test("share transactions; each has its record, its row of the log with its own address, and its event", async () => {
    await using at = await setUp();
    const ids = Array.from({ length: 40 }, (_, index) => `s${index + 1}`);
    const ended = await at.arrive(...ids);
    expect(ended.every(({ status }) => status === "fulfilled")).toBe(true);
    // The first batch of 32, and the rest.
    expect(at.transactions()).toBe(2);
    expect((await at.servers()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await at.log()).toEqual(ids.map((id) => `server_add ${id} 10.0.0.${id.slice(1)}`).toSorted());
    expect(at.seen.toSorted()).toEqual(ids.map((id) => `+${id} ${id}.example`).toSorted());
  });

  test("new, known and disconnecting servers share a transaction", async () => {
    await using at = await setUp();
    await at.arrive("s1", "s2");
    const [leaving] = (await at.servers()).filter(({ id }) => id === "s2");
    if (!leaving) throw new Error("s2 is not there");
    const before = at.transactions();
    await Promise.all([
      at.arrive("s8", "s9", "s3"),
      at.arrivals.arrived(arrival("s1", { hostname: "renamed.example" }), grouping),
      at.arrivals.departed({ ...leaving, info: { seen: true } as never }, 1_790_000_099),
    ]);
    expect(at.transactions() - before).toBe(1);
    const byId = new Map((await at.servers()).map((server) => [server.id, server]));
    expect([...byId.keys()].toSorted()).toEqual(["s1", "s2", "s3", "s8", "s9"]);
    expect(byId.get("s1")?.hostname).toBe("renamed.example");
    expect(byId.get("s2")).toMatchObject({ info: { seen: true }, modified: 1_790_000_099 });
    expect(await at.log()).toContain("server_remove s2 10.0.0.2");
  });

  test("a server that was deleted meanwhile leaves a row of the log and no record", async () => {
    await using at = await setUp();
    const server = { id: "s1", hostname: "s1.example", ip: "10.0.0.1", groups: [], info: {} } as never;
    await at.arrivals.departed(server, 1_790_000_099);
    expect(await at.servers()).toEqual([]);
    expect(await at.log()).toEqual(["server_remove s1 10.0.0.1"]);
    expect(at.seen).toEqual(["-s1 s1.example"]);
  });

  test("a server that cannot be stored does not affect others", async () => {
    await using at = await setUp((hostname) => hostname === "s4.example");
    const ended = await at.arrive("s1", "s2", "s3", "s4", "s5");
    expect(ended.map(({ status }) => status)).toEqual([
      ...["fulfilled", "fulfilled", "fulfilled"],
      ...["rejected", "fulfilled"],
    ]);
    expect((await at.servers()).map(({ id }) => id).toSorted()).toEqual(["s1", "s2", "s3", "s5"]);
    expect((await at.log()).length).toBe(4);
    expect(at.seen.toSorted()).toEqual(["1", "2", "3", "5"].map((n) => `+s${n} s${n}.example`));
  });
});
