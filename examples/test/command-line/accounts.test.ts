import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programArguments, QUICK_PASSWORDS } from "../../../scripts/code/code.ts";
import { ADMIN_KEY, type RunningServer, startServer } from "../program.ts";
import { makeStore, type Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await makeStore();
  await store.signalbox(["migrate"]);
});
afterAll(() => store.remove());

async function signIn({ url }: RunningServer, username: string, password: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  return (await response.json()) as Record<string, unknown>;
}

/** Runs a command with a text as its standard input. */
async function withInput(args: readonly string[], text: string): Promise<unknown[]> {
  const program = [...QUICK_PASSWORDS, ...programArguments("signalbox.ts"), ...args];
  const cwd = new URL("../..", import.meta.url);
  const child = spawn(process.execPath, program, { cwd, env: { ...process.env, ...store.variables } });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += String(chunk);
    });
  child.stdin.end(text);
  const [code] = await once(child, "close");
  return [code, said];
}

test("an administrator is created, can sign in and is listed; an account that exists is left alone", async () => {
  const made = await store.program(["admin", "create", "Ann"]);
  const [, password = ""] = /^Password of the user Ann, shown this once: (\w{24})\n$/.exec(made.stderr) ?? [];
  expect([made.code, JSON.parse(made.stdout), made.stdout.includes(password)]).toEqual([0, { username: "Ann" }, false]);

  const again = await store.signalbox(["admin", "create", "ann"]);
  expect([again.code, again.stdout, again.stderr]).toEqual([1, "", "signalbox: User already exists: ann\n"]);

  const server = await startServer(store.variables);
  try {
    expect(await signIn(server, "ann", password)).toMatchObject({ code: 0, user: { privileges: { admin: true } } });
    // An account with every right must appear in the list: a hidden one would be a back door.
    const key = { "X-API-Key": ADMIN_KEY };
    const users = await fetch(`${server.url}/api/user/admin_get_users/v1`, { headers: key, method: "POST" });
    expect(await users.json()).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ username: "Ann" })]),
    });
  } finally {
    await server.kill("SIGTERM");
  }
});

test("a password is read from standard input and never repeated", async () => {
  const reset = ["admin", "create", "ann", "--reset", "--password-stdin"];
  expect(await withInput(reset, "\n")).toEqual([
    ...[2, "signalbox: --password-stdin: standard input has no line with a password\n"],
  ]);
  expect(await withInput(reset, "hiddenPassword\nmore\n")).toEqual([0, '{\n  "username": "ann"\n}\n']);
  const server = await startServer(store.variables);
  try {
    expect(await signIn(server, "ann", "hiddenPassword")).toMatchObject({ code: 0 });
  } finally {
    await server.kill("SIGTERM");
  }
});

test("privileges of an account are granted and revoked, in the store and at a running server", async () => {
  await withInput(["admin", "create", "bob", "--password-stdin"], "hiddenPassword\n");
  const privileges = async (command: string, id: string, env = {}) => {
    const { code, stdout, stderr } = await store.signalbox(["user", command, "bob", id], env);
    return [code, stderr, stdout === "" ? "" : JSON.parse(stdout).privileges];
  };
  expect(await privileges("grant", "run_jobs")).toEqual([0, "", { admin: true, run_jobs: true }]);
  expect(await privileges("grant", "run_jobs")).toEqual([
    ...[0, "Nothing to change: bob is so already.\n", { admin: true, run_jobs: true }],
  ]);
  expect(await privileges("revoke", "admin")).toEqual([0, "", { run_jobs: true }]);
  const server = await startServer(store.variables);
  const remote = { SIGNALBOX_URL: server.url, SIGNALBOX_API_KEY: ADMIN_KEY, SIGNALBOX_SECRET_KEY: undefined };
  try {
    expect(await privileges("grant", "create_events", remote)).toEqual([
      0,
      "",
      { run_jobs: true, create_events: true },
    ]);
    expect(await privileges("revoke", "run_jobs", remote)).toEqual([0, "", { create_events: true }]);
  } finally {
    await server.kill("SIGTERM");
  }
});

test.each<[string, string[], number, string]>([
  ["the last administrator", ["user", "revoke", "ann", "admin"], 1, "signalbox: "],
  [
    "a privilege that does not exist",
    ["user", "grant", "ann", "runjobs"],
    1,
    "signalbox: There is no privilege runjobs: ",
  ],
  ["a reserved word", ["user", "grant", "ann", "__proto__"], 1, "signalbox: There is no privilege __proto__: "],
  ["an unknown account", ["user", "grant", "nobody", "admin"], 1, "signalbox: Failed to load user"],
  ["a reserved name", ["admin", "create", "__proto__"], 1, "signalbox: Malformed parameter: username\n"],
  ["a path for a name", ["admin", "create", "../../etc"], 1, "signalbox: Malformed parameter: username\n"],
  ["a long name", ["admin", "create", "x".repeat(120_000)], 1, "signalbox: Malformed parameter: username\n"],
  ["a password among the arguments", ["admin", "create", "eve", "secret"], 2, "signalbox: Wrong number of words."],
])("%s is refused with a message", async (_what, args, code, sentence) => {
  const outcome = await store.signalbox(args);
  expect([outcome.code, outcome.stdout, outcome.stderr.slice(0, sentence.length)]).toEqual([code, "", sentence]);
});
