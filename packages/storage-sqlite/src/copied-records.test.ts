import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSignalbox, rotateSecretKey } from "@signalbox/core";
import { defineCollection, type StoredRecord } from "@signalbox/core/storage";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteStorage } from "./index.ts";

let directory = "";
let filename = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-copied-"));
  filename = join(directory, "signalbox.sqlite");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const [KEY, NEXT_KEY] = ["only for this test, long enough", "another one for this test, as long"];
const VALUE = "planted-value-4711";
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** Edits the file like somebody who has the database but not the key. */
function tamper(sql: string): void {
  const database = new DatabaseSync(filename);
  database.exec(sql);
  database.close();
}

const start = async (secretKeys: readonly string[] = [KEY]) => {
  const engine = createSignalbox({ storage: sqliteStorage({ filename }), secretKeys, log });
  await engine.start();
  return engine;
};

/** Creates two secrets, then copies the whole record of the first into the second. */
async function storeAndCopy(): Promise<void> {
  const engine = await start();
  await engine.api.createSecret({ id: "master", title: "Master", fields: [{ name: "PASS", value: VALUE }] });
  await engine.api.createSecret({ id: "mine", title: "Mine", fields: [{ name: "PASS", value: "x" }] });
  await engine.stop();
  tamper(
    "update sb_secret_payloads set doc = (select doc from sb_secret_payloads where id = 'master') where id = 'mine'",
  );
}

const settled = (call: Promise<unknown>) => call.catch(({ code, message }) => ({ code, description: message }));
const unopened = {
  code: "secret",
  description: "Failed to decrypt secret: The sealed record cannot be opened.",
};

describe("an encrypted record that was copied into another row", () => {
  test("cannot be decrypted there, but can be where it belongs", async () => {
    await storeAndCopy();
    const engine = await start();
    expect(await settled(engine.api.decryptSecret({ id: "mine" }))).toEqual(unopened);
    expect(await engine.api.decryptSecret({ id: "master" })).toMatchObject({ fields: [{ value: VALUE }] });
    await engine.stop();
  });

  test("cannot be decrypted there either with its own id written into it", async () => {
    await storeAndCopy();
    tamper("update sb_secret_payloads set doc = json_set(doc, '$.id', 'mine') where id = 'mine'");
    const engine = await start();
    expect(await settled(engine.api.decryptSecret({ id: "mine" }))).toEqual(unopened);
    await engine.stop();
  });

  test("cannot be decrypted after a rotation, which ends and leaves it unchanged", async () => {
    await storeAndCopy();
    const engine = await start([NEXT_KEY, KEY]);
    await expect.poll(async () => (await engine.api.searchActivity({ query: "action:notice" })).rows.length).toBe(1);
    expect(await settled(engine.api.decryptSecret({ id: "mine" }))).toEqual(unopened);
    expect(await engine.api.decryptSecret({ id: "master" })).toMatchObject({ fields: [{ value: VALUE }] });
    await engine.stop();
  });

  test("ends an offline rotation by its own name", async () => {
    await storeAndCopy();
    const rotation = rotateSecretKey({ storage: sqliteStorage({ filename }), oldKey: KEY, newKey: NEXT_KEY });
    await expect(rotation).rejects.toThrow("Secret mine opens with neither key; nothing was changed");
  });
});

test("belongs to its row, even with another id in it", async () => {
  interface Note extends StoredRecord {
    readonly text: string;
  }
  const notes = defineCollection<Note>({
    name: "notes",
    noun: "Note",
    columns: { text: { type: "text", read: ({ text }) => text } },
  });
  const open = async () => {
    const storage = sqliteStorage({ filename });
    await storage.open([notes]);
    return storage;
  };
  const first = await open();
  await first.write((tx) =>
    tx.collection(notes).insertMany([
      { id: "a", text: "A" },
      { id: "b", text: "B" },
    ]),
  );
  await first.close();
  tamper("update sb_notes set doc = (select doc from sb_notes where id = 'a') where id = 'b'");
  const storage = await open();
  const copied = { id: "b", text: "A" };
  await storage.write(async (tx) => {
    const collection = tx.collection(notes);
    expect(await collection.get("b")).toEqual(copied);
    expect(await collection.getMany(["b"])).toEqual([copied]);
    expect((await collection.list())[1]).toEqual(copied);
    expect((await collection.find({ kind: "all" }, { sortBy: "id" })).rows[1]).toEqual(copied);
    const texts = await collection.find({ kind: "all" }, { sortBy: "id", fromText: (json) => JSON.parse(json) });
    expect(texts.rows).toEqual([{ id: "a", text: "A" }, copied]);
    expect(await collection.update("b", (note) => ({ ...note, text: "C" }))).toEqual({ id: "b", text: "C" });
  });
  await storage.close();
});
