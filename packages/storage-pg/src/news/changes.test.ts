import type { Storage } from "@signalbox/core/storage";
import { expect, onTestFinished, test, vi } from "vitest";
import { useDatabase } from "../../test/fixtures.ts";

const { database, openStorage, connect } = useDatabase();

/** Messages that a node hears, in their order. */
async function heard({ coordination }: Storage): Promise<unknown[]> {
  const all: unknown[] = [];
  await coordination.subscribe(
    ({ payload }) => all.push(payload),
    () => all.push("gap"),
  );
  return all;
}

const publish = (storage: Storage, payload: unknown): Promise<void> =>
  storage.write(async (tx) => tx.publish({ type: "test", payload }));

const change = (payload: unknown): [string, string[]] => [
  "insert into signalbox.sb_changes (node, body) values ('other', $1)",
  [JSON.stringify([JSON.stringify({ node: "other", message: { type: "test", payload } })])],
];

test("a change without a notification is read within a second, as from a process that died after its commit", async () => {
  const news = await heard(await openStorage());
  await database.admin.query(...change("left behind"));
  await expect.poll(() => news).toEqual(["left behind"]);
});

test("a transaction that got its number first and commits last is not missed, and nothing is read twice", async () => {
  const [sender, receiver] = [await openStorage(), await openStorage()];
  const news = await heard(receiver);
  const late = await connect();
  await late.query("begin");
  await late.query(...change("drawn first"));
  for (const payload of [1, 2, 3]) {
    await publish(sender, payload);
    await expect.poll(() => news.at(-1)).toBe(payload);
  }
  await late.query("commit");
  await publish(sender, "last");
  await expect.poll(() => news.length).toBe(5);
  expect(news).toEqual([1, 2, 3, "drawn first", "last"]);
});

test("a node that is too far behind reads its data again", async () => {
  const news = await heard(await openStorage());
  const [sql, [body]] = change("one of many");
  await database.admin.query(
    `${sql.replace("values ('other', $1)", "select 'other', $1 from generate_series(1, 5001)")}`,
    [body],
  );
  await expect.poll(() => news).toEqual(["gap"]);
});

test("a lost connection for reading is reported as a gap, and news continue", async () => {
  const news = await heard(await openStorage());
  await database.admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'signalbox pulse'",
  );
  await expect.poll(() => news).toContain("gap");
  await database.admin.query(...change("after it"));
  await expect.poll(() => news.at(-1)).toBe("after it");
});

test("no durable transaction of ours notifies, except inside the host's", async () => {
  const storage = await openStorage();
  const senders: number[] = [];
  const listener = await connect();
  listener.on("notification", ({ processId }) => senders.push(processId));
  await listener.query('listen "signalbox_signalbox"');
  await storage.write(async (tx) => {
    tx.publish({ type: "test", payload: "ours" });
    await tx.enqueue("kind", {});
  });
  await expect.poll(() => senders.length).toBe(2);
  const client = await connect();
  await client.query("begin");
  await storage.adopt(client).write(async (tx) => tx.publish({ type: "test", payload: "the host's" }));
  await client.query("commit");
  await expect.poll(() => senders.length).toBe(3);
  const pid = async (on: typeof client): Promise<number> =>
    (await on.query("select pg_backend_pid() as pid")).rows[0].pid;
  const { rows } = await database.admin.query(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'signalbox pulse'",
  );
  expect(senders).toEqual([rows[0].pid, rows[0].pid, await pid(client)]);
});

test("transient messages reach the other nodes and are stored nowhere", async () => {
  const [one, two] = [await openStorage(), await openStorage()];
  const news = await heard(two);
  await one.coordination.tell({ type: "test", payload: "told" });
  await expect.poll(() => news).toEqual(["told"]);
  const { rows } = await database.admin.query("select count(*)::int as stored from signalbox.sb_changes");
  expect(rows).toEqual([{ stored: 0 }]);
});

test("rows read by all nodes are deleted after ten minutes, but not rows after an open transaction's number", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const [sender, receiver] = [await openStorage(), await openStorage()];
  for (const { coordination } of [sender, receiver])
    coordination.lead("leader", ({ lost }) => new Promise((end) => lost.addEventListener("abort", () => end())));
  await expect.poll(() => receiver.coordination.leaderOf("leader")).toBeDefined();
  const news = await heard(receiver);
  const kept = async () => {
    const { rows } = await database.admin.query("select body from signalbox.sb_changes order by id");
    return rows.map(({ body }) => JSON.parse(JSON.parse(body)[0]).message.payload);
  };
  let said = 0;
  /** Both nodes look at the log, as they do each second. */
  const pass = async (minutes: number) => {
    vi.advanceTimersByTime(minutes * 60_000);
    said += 1;
    for (const storage of [sender, receiver]) await publish(storage, said);
    await expect.poll(() => news.at(-1)).toBe(said);
  };
  await pass(1);
  const late = await connect();
  await late.query("begin");
  await late.query(...change("drawn early"));
  await pass(1);
  for (let time = 0; time < 3; time++) await pass(5);
  // A leader that lost its lease in the time jump tidies at its next look after it leads again.
  const keptAfterLook = async () => {
    await pass(1);
    return kept();
  };
  await expect.poll(keptAfterLook).not.toContain(1);
  expect(await kept()).toContain(2);
  await late.query("commit");
  await expect.poll(() => news).toContain("drawn early");
});
