import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFile, type SqliteHandle } from "../file/handle.ts";
import { StillBusyError } from "./busy.ts";
import { createWriteQueue } from "./write-queue.ts";

const WAIT_MS = 200;

let folder: string;
let handle: SqliteHandle;
let other: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-queue-"));
  const file = join(folder, "queue.db");
  handle = openFile(file);
  handle.run("create table notes (id text)", []);
  other = new DatabaseSync(file);
  other.exec("begin immediate");
});
afterEach(() => {
  other.close();
  handle.close();
  rmSync(folder, { recursive: true, force: true });
});

function setUp(on = handle) {
  const queue = createWriteQueue(on, () => undefined, { waitMs: WAIT_MS });
  const ends: string[] = [];
  const write = (id: string): Promise<void> =>
    queue
      .write(async (session) => {
        await session.run({ sql: "insert into notes values (?)", parameters: [] } as never, [id]);
        return { result: undefined, committed: () => undefined };
      })
      .then(
        () => void ends.push(`${id} stored`),
        (error: unknown) =>
          void ends.push(`${id} ${error instanceof StillBusyError ? "waited in vain" : String(error)}`),
      );
  return { ends, write };
}

describe("while another program holds the lock", () => {
  test("each write waits for its own time, not for the time of earlier ones as well", async () => {
    const { ends, write } = setUp();
    const first = write("first");
    await wait(WAIT_MS / 4);
    const second = write("second");
    await first;
    await Promise.race([second, wait(WAIT_MS / 2).then(() => ends.push("the time of the second one was over"))]);
    expect(ends).toEqual(["first waited in vain", "second waited in vain"]);
    await second;
  });

  test("a write whose time is not over is stored when the lock ends", async () => {
    const { ends, write } = setUp();
    const first = write("first");
    await wait(WAIT_MS / 2);
    const second = write("second");
    await first;
    other.exec("rollback");
    await second;
    expect(ends).toEqual(["first waited in vain", "second stored"]);
  });
});

test("a transaction of the host on the same connection is waited for, and left to the host", async () => {
  other.exec("rollback");
  const { ends, write } = setUp();
  handle.run("begin", []);
  handle.run("insert into notes values ('of the host')", []);
  await write("ours");
  handle.run("commit", []);
  expect(ends).toEqual(["ours waited in vain"]);
  expect(handle.run("select id from notes", []).rows).toEqual([{ id: "of the host" }]);
});

test.each(["rollback", "commit and rollback"])(
  "a %s that fails delays no one: the next write ends what it left open",
  async (which) => {
    other.exec("rollback");
    const failing = new Set(which.split(" and "));
    const failed: string[] = [];
    const { ends, write } = setUp({
      ...handle,
      run(sql, parameters) {
        if (failing.delete(sql)) {
          failed.push(sql);
          throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" });
        }
        if (failed.length === 0 && which === "rollback" && sql.startsWith("insert")) throw new Error("no such row");
        return handle.run(sql, parameters);
      },
    });
    await write("first");
    expect(handle.isTransaction()).toBe(true);
    await write("second");
    expect(failed).toEqual(which === "rollback" ? ["rollback"] : ["commit", "rollback"]);
    expect(ends.at(-1)).toBe("second stored");
    expect(handle.run("select id from notes", []).rows).toEqual([{ id: "second" }]);
  },
);
