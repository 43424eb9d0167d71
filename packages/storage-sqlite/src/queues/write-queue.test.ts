import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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
  // Between two tries a write waits in real time; how long it waits in all is decided by this clock, which the test moves.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (share: number) => void vi.advanceTimersByTime(WAIT_MS * share);

  test("each write waits for its own time, not for the time of earlier ones as well", async () => {
    const { ends, write } = setUp();
    const first = write("first");
    pass(1 / 4);
    const second = write("second");
    pass(3 / 4);
    await first;
    expect(ends).toEqual(["first waited in vain"]);
    pass(1 / 4);
    await second;
    expect(ends).toEqual(["first waited in vain", "second waited in vain"]);
  });

  test("a write whose time is not over is stored when the lock ends", async () => {
    const { ends, write } = setUp();
    const first = write("first");
    pass(1 / 2);
    const second = write("second");
    pass(1 / 2);
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
