import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type Node, twoNodes } from "../../test/two-nodes.ts";

type Data = Readonly<Record<string, unknown>>;

/** Satellite `s1` is connected to the node `one`; `minute` sends a minute and waits until its node has processed it. */
async function setUp() {
  const at = await twoNodes();
  const { clock, one, two, until } = at;
  const server = await one.join("s1");
  const database = new pg.Client({ connectionString: at.connectionString });
  await database.connect();
  onTestFinished(() => database.end());
  const dataOn = async ({ api }: Node) => (await api.getServer({ id: "s1" })).data as { readonly data?: Data };
  /** Live nodes and servers, as far as a node has heard. */
  const known = async ({ api }: Node) => [
    (await api.getMasters({})).rows.length,
    ...(await api.getActiveServers({})).rows.map(({ id }) => id),
  ];
  return {
    ...at,
    server,
    dataOn,
    async minute(data: Data) {
      await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
      // When a whole minute passes at once, neither node hears the other.
      for (const node of [one, two]) await until(() => known(node)).toEqual([2, "s1"]);
      server.send("monitor", { version: "1.0", date: clock.now(), data });
      await until(() => dataOn(one)).toMatchObject({ data });
    },
    /** The version of its stored record, which each write of it changes. */
    async written(): Promise<string> {
      const { rows } = await database.query("select xmin::text as version from signalbox.sb_hosts where id = 's1'");
      return rows[0].version;
    },
  };
}

test("the minutes of a server are read through the other node, without storing each of them", async () => {
  const { dataOn, minute, one, two, until, written } = await setUp();
  await minute({ jobs: 1 });
  // The server's name decides when a minute is first stored: here some minutes ago.
  await minute({ jobs: 2 });
  const version = await written();
  await minute({ jobs: 3 });
  await until(() => dataOn(two)).toMatchObject({ data: { jobs: 3 } });
  const latest = async ({ api }: Node) => api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 60 });
  await until(() => latest(two)).toEqual(await latest(one));
  const tried = ({ api }: Node) =>
    api.testMonitor({ server: "s1", source: "jobs", data_type: "integer", data_match: "" });
  await until(() => tried(two)).toEqual({ value: 3, fail: false });
  const { id } = await two.api.createSnapshot({ server: "s1" });
  expect((await one.api.getSnapshot({ id })).snapshot).toMatchObject({ data: { jobs: 3 } });
  const group = await two.api.createGroupSnapshot({ group: "main" });
  expect((await one.api.getSnapshot({ id: group.id })).snapshot).toMatchObject({
    snapshots: [{ data: { jobs: 3 } }],
  });
  expect(await written()).toBe(version);
});

test("a minute that is too long for an answer is stored for the other node", async () => {
  const { dataOn, minute, two, until } = await setUp();
  await minute({ jobs: 1 });
  for (const jobs of [2, 3]) {
    await minute({ jobs, note: "x".repeat(600_000) });
    await until(async () => (await dataOn(two)).data?.["jobs"]).toBe(jobs);
  }
});

test("minutes that the server's node does not answer are shown in their stored form", async () => {
  const { clock, dataOn, minute, one, two, until } = await setUp();
  await minute({ jobs: 1 });
  await minute({ jobs: 2 });
  await one.stop();
  // A stopping node stores the minutes that it alone has.
  const read = dataOn(two);
  await clock.advance(3);
  expect(await read).toMatchObject({ data: { jobs: 2 } });
  await until(async () => (await two.api.getServer({ id: "s1" })).online).toBe(false);
});

test("an alert is explained by the last minute, whichever node is asked", async () => {
  const { minute, one, two, until } = await setUp();
  await minute({ jobs: 1 });
  await minute({ jobs: 2 });
  const { alert } = await two.api.createAlert({
    ...{ title: "Many jobs", expression: "jobs > 2", message: "{{jobs}}", samples: 1, enabled: true },
  });
  await minute({ jobs: 3 });
  const seen = async ({ api }: Node) => {
    const [row] = (await api.explainAlert({ alert: alert.id, server: "s1" })).rows;
    return [row?.result, row?.message, row?.date, row?.readings];
  };
  await until(() => seen(two)).toMatchObject([true, "3", expect.any(Number), [{ value: 3 }]]);
  expect(await seen(two)).toEqual(await seen(one));
});
