import type { Storage } from "@signalbox/core/storage";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { useDatabase } from "../../test/fixtures.ts";
import { nodeChannel } from "./letters.ts";

const { database, openStorage } = useDatabase();

/** Process id of the server's session, which the types of `pg` leave out. */
type WithPid = pg.Client & { readonly processID: number };

const collected = async ({ coordination }: Storage): Promise<string[]> => {
  const texts: string[] = [];
  await coordination.collect(coordination.nodeId, (text) => texts.push(text));
  return texts;
};

test("texts arrive once and in order, short and long, only at the node they are for", async () => {
  const [one, two, three] = [await openStorage(), await openStorage(), await openStorage()];
  const [heard, overheard] = [await collected(two), await collected(three)];
  const texts = Array.from({ length: 300 }, (_, index) => {
    const text = `${index} \u2603 'quoted' ${JSON.stringify({ odd: "\u0000\ud800" })}`;
    return index % 10 === 0 ? text + "x".repeat(index % 20 === 0 ? 9000 : 200_000) : text;
  });
  await Promise.all(texts.map((text) => one.coordination.post(two.coordination.nodeId, text)));
  await expect.poll(() => heard.length).toBe(texts.length);
  expect(heard).toEqual(texts);
  expect(overheard).toEqual([]);
  const { rows } = await database.admin.query("select count(*)::int as left from signalbox.sb_mail");
  expect(rows).toEqual([{ left: 0 }]);
});

test("waiting letters are sent with one statement, outside of any durable transaction", async () => {
  const [one, two] = [await openStorage(), await openStorage()];
  const heard = await collected(two);
  const post = (text: string): Promise<void> => one.coordination.post(two.coordination.nodeId, text);
  await post("first");
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  await Promise.all(Array.from({ length: 500 }, (_, index) => post(`${index}`)));
  const askedOn = query.mock.calls.flatMap(([asked], n) =>
    (asked as unknown as { text?: string }).text?.includes("pg_notify") ? [query.mock.contexts[n] as WithPid] : [],
  );
  // The first letter goes out at once, all others together while it is under way.
  expect(askedOn).toHaveLength(2);
  const { rows } = await database.admin.query(
    "select pid, application_name as purpose from pg_stat_activity where pid = any($1)",
    [askedOn.map(({ processID }) => processID)],
  );
  // The connection of letters never waits for a flush.
  expect(rows).toEqual([{ pid: askedOn[1]?.processID, purpose: "signalbox pulse" }]);
  await expect.poll(() => heard.length).toBe(501);
});

test("hostile payloads on the channel of a node are read as text, or ignored", async () => {
  const [one, two] = [await openStorage(), await openStorage()];
  const heard = await collected(two);
  const channel = nodeChannel("signalbox", two.coordination.nodeId);
  for (const payload of ["@", "@1; drop table x", "@99999999999999999999", "@12345", "{}"])
    await database.admin.query("select pg_notify($1, $2)", [channel, payload]);
  await one.coordination.post(two.coordination.nodeId, "last");
  await expect.poll(() => heard).toEqual(["{}", "last"]);
});

test("the channel of a node is valid for any name of the schema", () => {
  expect(nodeChannel("signalbox", "n1")).toBe("signalbox_signalbox_n1");
  const long = nodeChannel("s".repeat(53), "nabcdefgh");
  expect(long).toHaveLength(58);
  expect(long).not.toBe(nodeChannel("s".repeat(53), "nabcdefgi"));
});
