import { spawn } from "node:child_process";
import { once } from "node:events";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { fakeClock } from "@signalbox/core/testing";
import { expect, test, vi } from "vitest";
import { betterSqliteLike } from "../test/better-sqlite-like.ts";
import {
  closing,
  idsOf,
  insert,
  type Note,
  newFile,
  notes,
  openHost,
  openStorage,
  useFiles,
} from "../test/note-storage.ts";
import { sqliteStorage } from "./index.ts";

useFiles();

test("a second storage on a file is refused while the first one lives, and allowed once it is closed", async () => {
  const filename = newFile();
  const first = await openStorage({ filename });
  await expect(openStorage({ filename })).rejects.toThrow(/in use by this process itself.*Stop that one first/);
  await first.close();
  await insert(await openStorage({ filename }), "a");
});

test("a worker thread waits for the engine of another thread, which may be stopping", {
  timeout: 120_000,
}, async () => {
  const filename = newFile();
  const first = await openStorage({ filename });
  const program = `
    const { DatabaseSync } = require("node:sqlite");
    const { parentPort } = require("node:worker_threads");
    const { prepare } = DatabaseSync.prototype;
    DatabaseSync.prototype.prepare = function (sql, ...more) {
      if (sql === "select * from sb_owner") parentPort.postMessage("looked");
      return prepare.call(this, sql, ...more);
    };
    import(${JSON.stringify(new URL("index.ts", import.meta.url))}).then(async ({ sqliteStorage }) => {
      const storage = sqliteStorage({ filename: ${JSON.stringify(filename)} });
      await storage.open([]);
      await storage.close();
      parentPort.postMessage("opened");
    });`;
  const worker = new Worker(program, { eval: true, execArgv: ["--conditions=@signalbox/source"] });
  closing.push(() => worker.terminate());
  const opened = new Promise((resolve, reject) => {
    worker.on("message", (word) => word === "opened" && resolve(word));
    worker.on("error", reject);
  });
  const [word] = await once(worker, "message");
  await first.close();
  expect([word, await opened]).toEqual(["looked", "opened"]);
});

test("a file whose owner was killed is taken over at once, with everything it acknowledged", async () => {
  const filename = newFile();
  const program = `
    import { sqliteStorage } from "@signalbox/storage-sqlite";
    const storage = sqliteStorage({ filename: ${JSON.stringify(filename)} });
    const notes = { name: "notes", noun: "Note" };
    await storage.open([notes]);
    await storage.write((tx) => tx.collection(notes).insert({ id: "a", title: "A" }));
    console.log("acknowledged");
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--conditions=@signalbox/source", "--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  await expect(openStorage({ filename })).rejects.toThrow(
    /in use by process \d+ on .*stop the other one, or .*PostgreSQL/,
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await idsOf(await openStorage({ filename }))).toEqual(["a"]);
});

test("a claim from another machine holds for 30 seconds after its last renewal; the former owner then writes no more", async () => {
  const filename = newFile();
  const clock = fakeClock();
  const first = await openStorage({ filename, clock });
  const host = openHost(filename);
  host.exec("update sb_owner set host = 'elsewhere', boot = 'other'");
  await clock.advance(29);
  host.exec(`update sb_owner set renewed = ${clock.now() - 29}`);
  await expect(openStorage({ filename, clock })).rejects.toThrow(
    /in use by process \d+ on elsewhere.* ends after 30 s/,
  );
  await clock.advance(1);
  host.exec(`update sb_owner set renewed = ${clock.now() - 30}`);
  const second = await openStorage({ filename, clock });
  await expect(insert(first, "a")).rejects.toThrow(/taken over/);
  await insert(second, "b");
  expect(await idsOf(second)).toEqual(["b"]);
});

test("the claim is renewed every ten seconds", async () => {
  const filename = newFile();
  const clock = fakeClock();
  const storage = await openStorage({ filename, clock });
  const host = openHost(filename);
  const renewed = (): unknown => host.prepare("select renewed from sb_owner").get()?.["renewed"];
  for (let round = 0; round < 3; round++) {
    await clock.advance(10);
    await insert(storage, `n${round}`);
    expect(renewed()).toBe(clock.now());
  }
});

test("writes of one turn of the loop are committed together", async () => {
  const host = betterSqliteLike(":memory:");
  const storage = await openStorage({ database: host });
  const before = host.counts.get("commit") ?? 0;
  // A frozen clock, because a busy machine may use up the few milliseconds of a group.
  vi.useFakeTimers({ toFake: ["performance"] });
  closing.push(() => vi.useRealTimers());
  await Promise.all(Array.from({ length: 50 }, (_unused, index) => insert(storage, `n${index}`)));
  expect((host.counts.get("commit") ?? 0) - before).toBe(1);
});

test("storage refuses to start where the flush on commit is not possible", async () => {
  const filename = newFile();
  const host = betterSqliteLike(filename, { synchronous: 1 });
  await expect(openStorage({ database: host })).rejects.toThrow(/synchronous/);
  await openStorage({ database: host, durability: "process" });
});

test("refused writes flush nothing", async () => {
  const host = betterSqliteLike(newFile());
  const storage = await openStorage({ database: host });
  const before = host.counts.get("commit") ?? 0;
  const refused = storage.write(async (tx) => {
    await tx.collection(notes).insert({ id: "a", title: "A" });
    throw new Error("refused");
  });
  await expect(refused).rejects.toThrow("refused");
  expect(host.counts.get("commit") ?? 0).toBe(before);
  expect(await idsOf(storage)).toEqual([]);
});

test("steps of a migration are not flushed one by one, and every write after them is", async () => {
  const levels: unknown[] = [];
  const interfere = (sql: string, database: DatabaseSync): void => {
    if (sql === "commit") levels.push(database.prepare("pragma synchronous").get()?.["synchronous"]);
  };
  const storage = await openStorage({ database: betterSqliteLike(newFile(), { interfere }) });
  const [claim, ...migrations] = levels.splice(0);
  expect(claim).toBe(2);
  expect(new Set(migrations)).toEqual(new Set([1]));
  await insert(storage, "a");
  expect(levels).toEqual([2]);
});

test("a full disk fails new writes, keeps acknowledged ones, and recovers when there is room", async () => {
  const host = openHost(":memory:");
  const storage = await openStorage({ database: host });
  await insert(storage, "kept");
  const pages = host.prepare("pragma page_count").get()?.["page_count"];
  host.exec(`pragma max_page_count = ${pages}`);
  const big = storage.write((tx) => tx.collection(notes).insert({ id: "big", title: "x".repeat(100_000) }));
  await expect(big).rejects.toThrow(/full/);
  expect(await idsOf(storage)).toEqual(["kept"]);
  host.exec("pragma max_page_count = 100000");
  await insert(storage, "later");
  expect(await idsOf(storage)).toEqual(["kept", "later"]);
});

test("a check of the indexes names every entry that differs from its document", async () => {
  const host = openHost(":memory:");
  const storage = await openStorage({ database: host });
  await insert(storage, "a");
  await insert(storage, "b");
  expect(await storage.verifyIndexes()).toEqual([]);
  host.exec(
    "update sb_notes set c_title = 'other' where id = 'a'; update sb_notes_terms set term = 'u' where id = 'b'",
  );
  expect(await storage.verifyIndexes()).toEqual([
    { collection: "notes", id: "a", index: "c_title", stored: "other", expected: "Note a" },
    { collection: "notes", id: "b", index: "terms tags", stored: null, expected: "t" },
    { collection: "notes", id: "b", index: "terms tags", stored: "u", expected: null },
  ]);
});

test("a second process that opens the file at the same time is refused, and the first one works", async () => {
  const filename = newFile();
  const outcomes = await Promise.allSettled([openStorage({ filename }), openStorage({ filename })]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a column declared unique over records that share a value stops the opening with a reason", async () => {
  const filename = newFile();
  const first = await openStorage({ filename });
  for (const id of ["a", "b"]) await first.write((tx) => tx.collection(notes).insert({ id, title: "same" }));
  await first.close();
  const unique = {
    ...notes,
    columns: { title: { type: "text", unique: true, read: (note: Note) => note.title } },
  } as const;
  const second = sqliteStorage({ filename });
  await expect(second.open([unique])).rejects.toThrow(/share a value of title/);
  await second.close();
  expect(await idsOf(await openStorage({ filename }))).toEqual(["a", "b"]);
});
