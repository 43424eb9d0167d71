import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { programArguments } from "../../../scripts/code/code.ts";
import { ADMIN_KEY, startServer } from "../program.ts";
import { makeStore, type Store } from "./store.ts";

const run = promisify(execFile);
let store: Store;
let file: string;
beforeAll(async () => {
  store = await makeStore();
  file = join(store.dataDir, "backup.txt.gz");
  await store.within(async ({ api }) => {
    await api.createTag({ id: "mine", title: "Mine" });
    await api.createTicket({ subject: "First", type: "issue", status: "open" });
  });
  await store.signalbox(["admin", "create", "ann"]);
  await store.signalbox(["export", file]);
});
afterAll(() => store.remove());

const SWITCHED_OFF = "The scheduler is switched off, and stays off until somebody switches it on.\n";

/** A store that is removed after its test. */
async function otherStore(): Promise<Store> {
  const other = await makeStore();
  onTestFinished(() => other.remove());
  return other;
}

/** Starts a command without waiting for it; `flags` are for Node. */
function launch({ variables }: Store, args: readonly string[], flags: readonly string[] = []): ChildProcess {
  const cwd = new URL("../..", import.meta.url);
  return spawn(process.execPath, [...flags, ...programArguments("signalbox.ts"), ...args], {
    ...{ cwd, env: { ...process.env, ...variables } },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
}

const subjectsOf = (at: Store): Promise<unknown[]> =>
  at.within(async ({ api }) => (await api.searchTickets({ limit: 1000 })).rows.map(({ subject }) => subject));

test("a backup is complete and readable only by its owner, and can be imported repeatedly", async () => {
  const out = join(store.dataDir, "other.gz");
  const written = await store.program(["export", out]);
  expect([written.code, written.stderr]).toEqual([0, ""]);
  expect(JSON.parse(written.stdout)).toEqual({ file: out, bytes: (await stat(out)).size });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  expect(await store.signalbox(["export", file])).toEqual({
    ...{ code: 1, stdout: "", stderr: `signalbox: ${file} is there already: --force replaces it\n` },
  });
  expect((await store.signalbox(["export", file, "--force"])).code).toBe(0);
  expect((await readdir(store.dataDir)).filter((name) => name.endsWith(".part"))).toEqual([]);

  const other = await otherStore();
  for (let round = 0; round < 2; round++) {
    const taken = await (round === 0 ? other.program : other.signalbox)(["import", file, "--yes"]);
    expect([taken.code, taken.stderr]).toEqual([0, SWITCHED_OFF]);
    expect(JSON.parse(taken.stdout)).toMatchObject({ outcome: "done", report: expect.stringContaining("tags") });
    expect(await subjectsOf(other)).toEqual(["First"]);
  }
  expect(await readdir(join(other.dataDir, "blobs", "tmp")).catch(() => [])).toEqual([]);
  await other.within(async ({ api }) => {
    expect(await api.getTag({ id: "mine" })).toMatchObject({ tag: { title: "Mine" } });
    expect((await api.getGlobalState()).state).toMatchObject({ scheduler: { enabled: false } });
  });
});

test("a new store starts with an imported backup, without the defaults that users had deleted", async () => {
  const [old, fresh] = [await otherStore(), await otherStore()];
  const lists = async ({ api }: Parameters<Parameters<Store["within"]>[0]>[0]) => ({
    tags: (await api.getTags()).rows,
    roles: (await api.getRoles()).rows,
    alerts: (await api.getAlerts()).rows,
    routes: (await api.getRoutes()).rows,
    state: (await api.getGlobalState()).state,
  });
  const before = await old.within(async (engine) => {
    await engine.api.deleteTag({ id: "flag" });
    await engine.api.deleteAlert({ id: "engine_offline" });
    return lists(engine);
  }, "start");
  const backup = join(old.dataDir, "started.gz");
  await old.signalbox(["export", backup]);
  expect(await fresh.signalbox(["import", backup, "--yes"])).toMatchObject({ code: 0 });
  const after = await fresh.within(lists, "start");
  expect(after).toEqual({ ...before, state: { ...before.state, scheduler: { enabled: false } } });
});

test("the report says that a file is no backup", async () => {
  const other = await otherStore();
  const text = join(other.dataDir, "notes.txt");
  await writeFile(text, "Buy milk\nand bread\n");
  const { stdout } = await other.signalbox(["import", text, "--yes"]);
  expect(stdout).toContain("**No line of the file is data**: it is no backup.");
});

test("the report says that secrets were encrypted with another key", async () => {
  const [old, same, other] = [await otherStore(), await otherStore(), await otherStore()];
  await old.within(({ api }) => api.createSecret({ id: "s1", title: "S", fields: [{ name: "A", value: "b" }] }));
  const backup = join(old.dataDir, "sealed.gz");
  await old.signalbox(["export", backup]);
  const words = ["import", backup, "--yes"];
  const [known, foreign] = [
    await same.signalbox(words),
    await other.signalbox(words, { SIGNALBOX_SECRET_KEY: "another key of the right length" }),
  ];
  expect(known.stdout).not.toContain("cannot be opened");
  expect(foreign.stdout).toContain(
    "**Secrets that cannot be opened here: 1.** They were sealed with another secret key",
  );
});

test("a backup can be written to standard output, in parts, and fails when its reader disconnects", async () => {
  const program = [process.execPath, ...programArguments("signalbox.ts")].map((word) => `'${word}'`).join(" ");
  const shell = (script: string) =>
    run("sh", ["-c", script], {
      cwd: new URL("../..", import.meta.url),
      env: { ...process.env, ...store.variables },
    });
  const { stdout, stderr } = await shell(`${program} export --lists tags | gunzip`);
  expect([stderr, stdout.endsWith("# End of data\n"), stdout.includes("First")]).toEqual(["", true, false]);
  expect(stdout).toContain('"id":"mine"');
  const gone = await shell(`{ ${program} export; echo "code $?" >&2; } | true`);
  expect(gone.stderr).toBe("code 1\n");
});

test("a killed export leaves no file with that name, and the store unchanged", async () => {
  const own = await otherStore();
  // Does not fit into a pipe, even when it is compressed.
  const body = randomBytes(300_000).toString("base64");
  await own.within(({ api }) => api.createTicket({ subject: "Long", type: "issue", body }));
  const whole = join(own.dataDir, "killed.gz");
  await run("mkfifo", [`${whole}.part`]);
  const child = launch(own, ["export", whole]);
  const reader = await open(`${whole}.part`, "r");
  await reader.read(Buffer.alloc(10), 0, 10);
  // Nobody reads the rest, so the command cannot finish.
  await killed(child);
  await reader.close();
  expect(existsSync(whole)).toBe(false);
  await rm(`${whole}.part`);
  expect((await own.signalbox(["export", whole])).code).toBe(0);
  expect(gunzipSync(await readFile(whole)).toString()).toContain("# End of data");
});

/** Kills the process when it has stored about half of 3,000 tickets, 25 with each statement. */
const HALFWAY = `data:text/javascript,${encodeURIComponent(`
  import { StatementSync } from "node:sqlite";
  const { run } = StatementSync.prototype;
  let count = 0;
  StatementSync.prototype.run = function (...given) {
    if (this.sourceSQL.startsWith('insert into "sb_tickets" ') && ++count === 60) process.kill(process.pid, "SIGKILL");
    return run.apply(this, given);
  };`)}`;

test("a killed import is completed by another one", async () => {
  const many = Array.from({ length: 3000 }, (_none, number) => {
    const record = { id: `t${number}`, num: number + 1, subject: `Ticket ${number}`, type: "issue", status: "open" };
    const more = { body: "", username: "ann", created: 1_800_000_000, modified: 1_800_000_000, changes: [] };
    return `${JSON.stringify({ index: "tickets", id: record.id, record: { ...record, ...more } })}\n`;
  });
  const large = join(store.dataDir, "large.gz");
  await writeFile(large, gzipSync(many.join("")));
  const other = await otherStore();
  const child = launch(other, ["import", large, "--yes"], [`--import=${HALFWAY}`]);
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  expect(await readdir(join(other.dataDir, "blobs", "tmp"))).toEqual([expect.stringMatching(/^import-/)]);
  const taken = await other.signalbox(["import", large, "--yes"]);
  expect([taken.code, JSON.parse(taken.stdout)]).toMatchObject([0, { outcome: "done" }]);
  await other.within(async ({ api }) => {
    expect((await api.searchTickets({ query: "*" })).list.length).toBe(3000);
  });
});

test("a running server exports and imports, and only with its key", async () => {
  const other = await otherStore();
  const server = await startServer(other.variables);
  const env = { SIGNALBOX_URL: server.url, SIGNALBOX_API_KEY: ADMIN_KEY, SIGNALBOX_SECRET_KEY: undefined };
  try {
    expect((await other.signalbox(["export", join(other.dataDir, "busy.gz")])).stderr).toMatch(
      / is in use by process /,
    );
    const wrong = { ...env, SIGNALBOX_API_KEY: "0000000000000000000000wrong" };
    for (const args of [
      ["export", join(other.dataDir, "wrong.gz")],
      ["import", file, "--yes"],
    ])
      expect(await other.signalbox(args, wrong)).toMatchObject({ code: 1, stdout: "" });
    expect((await readdir(other.dataDir)).filter((name) => name.includes(".gz"))).toEqual([]);

    const tags = join(other.dataDir, "tags.gz");
    await store.signalbox(["export", tags, "--lists=tags"]);
    const chosen = await other.signalbox(["import", tags, "--yes"], env);
    expect([chosen.code, JSON.parse(chosen.stdout)]).toMatchObject([0, { outcome: "done" }]);
    expect(await server.call("get_tag", { id: "mine" })).toMatchObject({ tag: { title: "Mine" } });
    const back = join(other.dataDir, "back.gz");
    expect((await other.signalbox(["export", back], env)).code).toBe(0);
    expect(gunzipSync(await readFile(back)).toString()).toMatch(/"id":"mine"[\s\S]*\n# End of data\n$/);

    const taken = await other.signalbox(["import", file, "--yes"], env);
    // The file has none of this store's keys: it was exported before a first start. The key of the call stays all the same.
    expect([taken.code, taken.stderr]).toEqual([0, SWITCHED_OFF]);
    expect(JSON.parse(taken.stdout)).toMatchObject({ outcome: "done", report: expect.stringContaining("Kept in api") });
  } finally {
    await server.kill("SIGTERM");
  }
  expect(await subjectsOf(other)).toEqual(["First"]);
});

test("on PostgreSQL a backup is written beside servers, and an import is sent to one of them", async () => {
  const env = { SIGNALBOX_STORAGE: await createTestDatabase(inject("pgUrl")) };
  expect(JSON.parse((await store.signalbox(["migrate"], env)).stdout).version).toMatch(/^\d/);
  const out = join(store.dataDir, "pg.gz");
  expect((await store.signalbox(["export", out], env)).code).toBe(0);
  expect(gunzipSync(await readFile(out)).toString()).toContain("# End of data");
  const refused = await store.signalbox(["import", out, "--yes"], env);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("Several nodes may work on this database"),
  ]);
});

test.each<[string, string[], number, string]>([
  ["a missing confirmation", ["import", "FILE"], 2, "An import replaces data: --yes says that this is meant\n"],
  ["a missing file", ["import", "/nowhere.gz", "--yes"], 1, "There is no file /nowhere.gz\n"],
  ["a folder", ["import", "../..", "--yes"], 1, "../.. is no file\n"],
  ["a folder to write to", ["export", "../.."], 1, "../.. is no file\n"],
  ["a missing folder", ["export", "/nowhere/backup.gz"], 1, "ENOENT: no such file or directory, open"],
  ["a name that is too long", ["export", "x".repeat(5000)], 1, "ENAMETOOLONG"],
  ["an unknown list", ["export", "/dev/shm/none.gz", "--lists=__proto__"], 1, "Unknown data selected: __proto__\n"],
  ["an unknown format", ["import", "FILE", "--yes", "--format=x"], 1, "Malformed parameter: format\n"],
])("%s is refused with a message", async (_what, args, code, sentence) => {
  const outcome = await store.signalbox(args.map((word) => (word === "FILE" ? file : word)));
  const begin = `signalbox: ${sentence}`;
  expect([outcome.code, outcome.stdout, outcome.stderr.slice(0, begin.length)]).toEqual([code, "", begin]);
});
