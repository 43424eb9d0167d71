import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programArguments } from "../../../scripts/code/code.ts";
import { ADMIN_KEY, startServer } from "../program.ts";
import { makeStore, type Store } from "./store.ts";

const TICKETS = 205;
let store: Store;
let ticket = "";
beforeAll(async () => {
  store = await makeStore();
  await store.within(async ({ api }) => {
    for (let number = 1; number <= TICKETS; number++) {
      const made = await api.createTicket({ subject: `Ticket ${number}`, type: "issue", status: "open" });
      ticket = made.ticket.id;
    }
  });
});
afterAll(() => store.remove());

/** Listens while the work runs. */
async function portOf<T>(server: Server, work: (port: number) => Promise<T>): Promise<T> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return work((server.address() as AddressInfo).port).finally(() => server.close());
}

const linesOf = (text: string): unknown[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("one record is printed as JSON, and a missing one ends with a sentence", async () => {
  const found = await store.program(["db", "get", "tickets", ticket]);
  expect([found.code, found.stderr]).toEqual([0, ""]);
  expect(JSON.parse(found.stdout)).toMatchObject({ id: ticket, subject: `Ticket ${TICKETS}` });
  expect(await store.signalbox(["db", "get", "alerts", "nothing"])).toEqual({
    ...{ code: 1, stdout: "", stderr: "signalbox: There is no alert invocation nothing\n" },
  });
});

test("a search prints a line for each record, up to the requested number", async () => {
  const few = await store.signalbox([
    "db",
    "search",
    "tickets",
    "--limit=2",
    "--select",
    "subject,nothing,__proto__.x",
  ]);
  expect(linesOf(few.stdout)).toEqual([
    { subject: `Ticket ${TICKETS}`, nothing: null, "__proto__.x": null },
    { subject: `Ticket ${TICKETS - 1}`, nothing: null, "__proto__.x": null },
  ]);
  expect(linesOf((await store.signalbox(["db", "search", "tickets"])).stdout)).toHaveLength(50);
  const all = await store.signalbox(["db", "search", "tickets", "status:open", "--limit", "all", "--select=id"]);
  expect(new Set(all.stdout.split("\n").filter(Boolean)).size).toBe(TICKETS);
  const none = await store.signalbox(["db", "search", "tickets", "status:closed"]);
  expect([none.code, none.stdout, none.stderr]).toEqual([0, "", ""]);
});

test("a reader that stops early ends the search without a message", async () => {
  const program = [process.execPath, ...programArguments("signalbox.ts")].map((word) => `'${word}'`).join(" ");
  const piped = `${program} db search activity --limit all | head -n 1`;
  const cwd = new URL("../..", import.meta.url);
  const env = { ...process.env, ...store.variables };
  const { stdout, stderr } = await promisify(execFile)("sh", ["-c", piped], { cwd, env });
  expect([linesOf(stdout), stderr]).toEqual([[expect.objectContaining({ action: expect.any(String) })], ""]);
});

const LONG = "x".repeat(120_000);
const NO_TABLE = "there are jobs, alerts, servers, snapshots, activity, tickets\n";

test.each<[string, string[], number, string]>([
  ["a reserved word", ["db", "get", "tickets", "__proto__"], 1, "Invalid ID parameter: __proto__ (reserved word)\n"],
  ["a path for an id", ["db", "get", "jobs", "../.."], 1, "Malformed parameter: id\n"],
  ["a long id", ["db", "get", "jobs", LONG], 1, ""],
  ["a long query that is broken", ["db", "search", "tickets", `${LONG}:"`], 1, "Failed DB search: "],
  ["a reserved word for a table", ["db", "get", "__proto__", "x"], 2, `There is no table __proto__: ${NO_TABLE}`],
  ["a path for a table", ["db", "search", "../../etc"], 2, `There is no table ../../etc: ${NO_TABLE}`],
  ["a long table", ["db", "search", LONG], 2, `There is no table ${"x".repeat(200)}…: ${NO_TABLE}`],
  ["a row of the log by its id", ["db", "get", "activity", "x"], 2, "Rows of activity are not read by their id"],
  [
    "a number below one",
    ["db", "search", "tickets", "--limit=-1"],
    2,
    "--limit takes a whole number from 1 on, or all\n",
  ],
  [
    "a number in letters",
    ["db", "search", "tickets", "--limit=1e9"],
    2,
    "--limit takes a whole number from 1 on, or all\n",
  ],
  ["a reserved word for an option", ["db", "search", "tickets", "--__proto__=1"], 2, "Unknown option '--__proto__'"],
  ["a word too many", ["db", "search", "tickets", "a", "b"], 2, "Wrong number of words."],
  ["half a command", ["db"], 2, "db is followed by another word: db get, db search\n"],
  ["signs for the terminal", ["\u001b[31mred"], 2, "There is no command  [31mred: signalbox help shows all\n"],
  ["nothing", [], 2, "Name a command.\n\nUsage: signalbox COMMAND\n"],
])("%s is refused with a message", async (_what, args, code, sentence) => {
  const outcome = await store.signalbox(args);
  const begin = `signalbox: ${sentence}`;
  expect([outcome.code, outcome.stdout, outcome.stderr.slice(0, begin.length)]).toEqual([code, "", begin]);
  expect(outcome.stderr.length).toBeLessThan(4000);
});

test("a wrong variable, a wrong key and a missing file are reported in one sentence", async () => {
  const search = ["db", "search", "tickets"];
  const told = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await store.signalbox(search, env);
    return [code, stdout, stderr];
  };
  expect(await told({ SIGNALBOX_SECRET_KEY: "" })).toEqual([
    ...[2, "", "signalbox: SIGNALBOX_SECRET_KEY must be set and have at least 16 characters\n"],
  ]);
  expect(await told({ SIGNALBOX_SECRET_KEY: "another key of the right length" })).toEqual([
    ...[1, "", expect.stringMatching(/^signalbox: The secret key does not match the stored secrets: .*\n$/)],
  ]);
  const missing = `${store.dataDir}/none.sqlite`;
  expect(await told({ SIGNALBOX_STORAGE: `sqlite:${missing}` })).toEqual([
    ...[1, "", `signalbox: There is no database ${missing}: see SIGNALBOX_STORAGE and SIGNALBOX_DATA_DIR\n`],
  ]);
  expect((await told({ SIGNALBOX_STORAGE: "memory:" }))[0]).toBe(2);
  expect((await told({ SIGNALBOX_URL: "ftp://ops.example" }))[0]).toBe(2);
  expect(await told({ SIGNALBOX_URL: "http://127.0.0.1:1" })).toEqual([
    ...[2, "", "signalbox: SIGNALBOX_URL is set, so SIGNALBOX_API_KEY must have a key of that server\n"],
  ]);
  const closed = await portOf(createServer(), (port) => Promise.resolve(port));
  expect(await told({ SIGNALBOX_URL: `http://127.0.0.1:${closed}`, SIGNALBOX_API_KEY: ADMIN_KEY })).toEqual([
    ...[1, "", `signalbox: SIGNALBOX_URL does not answer: connect ECONNREFUSED 127.0.0.1:${closed}\n`],
  ]);
});

test("while a server uses the file, commands are refused, or sent to the server where its address is given", async () => {
  const server = await startServer(store.variables);
  try {
    const get = ["db", "get", "tickets", ticket];
    const busy = await store.signalbox(get);
    expect([busy.code, busy.stdout]).toEqual([1, ""]);
    expect(busy.stderr).toMatch(/^signalbox: The database is in use by process \d+ on .*\n$/);
    const remote = { SIGNALBOX_URL: `${server.url}/`, SIGNALBOX_API_KEY: ADMIN_KEY };
    const found = await store.signalbox(get, { ...remote, SIGNALBOX_SECRET_KEY: undefined });
    expect([found.code, found.stderr, JSON.parse(found.stdout).id]).toEqual([0, "", ticket]);
    const wrong = await store.signalbox(get, { ...remote, SIGNALBOX_API_KEY: "0000000000000000000000wrong" });
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([1, "", expect.stringMatching(/^signalbox: .+\n$/)]);
    expect(wrong.stderr).not.toContain("0000wrong");
  } finally {
    await server.kill("SIGTERM");
  }
});

test("a key does not follow a redirect to another origin", async () => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.url?.includes("elsewhere") ? request.headers["x-api-key"] : "asked");
    response.writeHead(307, { Location: "/elsewhere" }).end();
  });
  const { code, stderr } = await portOf(server, (port) => {
    const env = { SIGNALBOX_URL: `http://127.0.0.1:${port}`, SIGNALBOX_API_KEY: ADMIN_KEY };
    return store.signalbox(["db", "search", "tickets"], env);
  });
  expect([code, stderr, keys]).toEqual([
    1,
    "signalbox: SIGNALBOX_URL does not answer: unexpected redirect\n",
    ["asked"],
  ]);
});

test("serve is the stand-alone server", async () => {
  const args = [...programArguments("signalbox.ts"), "serve"];
  const env = { ...process.env, ...store.variables, SIGNALBOX_PORT: "0", SIGNALBOX_ADMIN_KEY: ADMIN_KEY };
  const child = spawn(process.execPath, args, { cwd: new URL("../..", import.meta.url), env });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  await expect.poll(() => text).toContain("Signalbox is listening");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
