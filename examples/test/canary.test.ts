import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Host, startHost } from "./canary/host.ts";
import { type Caller, type Credentials, createCaller } from "./canary/round.ts";
import { filesBelow, markersIn } from "./canary/search.ts";

/** Marker values that must stay where they belong, by name. */
const markers = new Map<string, string>();
const mark = (name: string): string => {
  const marker = `canary-${name.replace(/\W+/g, "-")}-${randomBytes(9).toString("base64url")}`;
  markers.set(name, marker);
  return marker;
};
/** Registers a marker that the engine itself made. */
const learn = (name: string, value: unknown): string => {
  expect(value).toMatch(/\S{20,}/);
  markers.set(name, String(value));
  return String(value);
};
/** A title that everybody may read: a search that does not find it would not find a secret either. */
const CONTROL = `control-${randomBytes(9).toString("hex")}`;
const DAY = 86_400;

let directory: string;
let host: Host;
let caller: Caller;
const admin: Credentials = { key: mark("administrator key") };
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-canary-"));
  host = await startHost({
    directory,
    secretKey: mark("secret key"),
    administratorKey: admin.key ?? "",
    administratorPassword: mark("administrator password"),
    mailPassword: mark("mail password"),
  });
  caller = createCaller(host);
});
afterAll(async () => {
  await host.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
});

const call = async (operation: string, body: Record<string, unknown> = {}, who = admin, open = false) =>
  caller.call(operation, body, who, open);
const succeed = async (...sent: Parameters<typeof call>) => {
  const answer = await call(...sent);
  expect(answer).toMatchObject({ code: 0 });
  return answer;
};
const fail = async (...sent: Parameters<typeof call>) => {
  const answer = await call(...sent);
  expect(answer["code"]).toEqual(expect.any(String));
  return answer;
};

/** Waits for something that happens outside of any call. */
const until = (what: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(what, { interval: 50 }).toBe(true) as unknown as Promise<void>;
const mailed = (subject: string): boolean => host.mails.some((mail) => mail.subject.includes(subject));

async function keepSecrets(): Promise<void> {
  const assigned = {
    events: ["shell", "chatty", "flow"],
    web_hooks: ["hook", "bad_hook"],
    categories: [],
    plugins: [],
  };
  const fields = [{ name: "TOKEN", value: mark("first value") }];
  await succeed("create_secret", { id: "used", title: `Used ${CONTROL}`, fields, ...assigned });
  const changed = [
    { name: "TOKEN", value: mark("secret value") },
    { name: "QUOTED", value: `${mark("quoted value")}"\\ \n&é` },
  ];
  await succeed("update_secret", { id: "used", fields: changed });
  const opened = await succeed("decrypt_secret", { id: "used" }, admin, true);
  expect(opened["fields"]).toEqual(changed);
  await succeed("create_secret", {
    ...{ id: "idle", title: "Idle", enabled: false, value: mark("stray value"), password: mark("stray password") },
    fields: [{ name: "TOKEN", value: mark("disabled value") }],
    ...assigned,
  });
  for (const fault of [{ id: "used" }, { title: 5 }, { id: "x", fields: "A" }, { title: "<b>" }])
    await fail("create_secret", { title: "T", fields: [{ name: "A", value: mark("refused value") }], ...fault });
  await fail("create_secret", { title: "T", fields: [{ name: "9", value: mark("misnamed value") }] });
  await fail("update_secret", { id: "used", fields: [{ name: "A", value: `${mark("unusable value")}\0` }] });
}

async function useHooks(): Promise<void> {
  const headers = [{ name: "X-Token", value: "{{ secrets.TOKEN }}" }];
  const template = { title: "Hook", method: "POST", headers, body: "token={{ secrets.TOKEN }} {{ secrets.QUOTED }}" };
  const { url } = host.receiver;
  for (const [id, path] of [
    ["hook", "good"],
    ["bad_hook", "bad"],
  ])
    await succeed("create_web_hook", { id, ...template, url: `${url}/${path}?t={{ encode(secrets.TOKEN) }}` });
  await succeed("test_web_hook", { id: "hook", ...template, url: `${url}/good?t={{ encode(secrets.TOKEN) }}` });
  await fail("test_web_hook", { id: "bad_hook", ...template, url: `${url}/bad?t={{ encode(secrets.TOKEN) }}` });
  await fail("test_web_hook", { id: "hook", ...template, url: "http://169.254.169.254/?t={{ secrets.TOKEN }}" });
}

const SCRIPT = `#!/bin/sh
echo "shell says $TOKEN"
printf '%s' "$TOKEN" | cut -c1-12 | tr -d '\\n'; sleep 0.1; printf '%s\\n' "$TOKEN" | cut -c13-
echo "on the other stream $TOKEN" >&2
env
echo "{\\"xy\\":1,\\"data\\":{\\"token\\":\\"$TOKEN\\"},\\"html\\":{\\"content\\":\\"$TOKEN\\"},\\"label\\":\\"$TOKEN\\"}"
sleep 2
echo "{\\"xy\\":1,\\"code\\":1,\\"description\\":\\"failed with $TOKEN\\"}"
`;

async function runJobs(): Promise<void> {
  const on = (type: string, members: object) => ({ enabled: true, condition: "complete", type, ...members });
  const actions = [
    on("channel", { channel_id: "ops" }),
    on("web_hook", { web_hook: "hook" }),
    on("web_hook", { web_hook: "bad_hook", text: "{{ secrets.TOKEN }}" }),
  ];
  await succeed("create_channel", { id: "ops", title: "Ops", email: "ops@example.com", web_hook: "hook" });
  await succeed("create_event", {
    ...{ id: "shell", title: `Shell ${CONTROL}`, enabled: true, category: "general", plugin: "shellplug", actions },
    ...{ targets: ["main"], algo: "random", params: { script: SCRIPT }, triggers: [{ type: "manual", enabled: true }] },
  });
  await succeed("update_event", { id: "chatty", actions });
  for (const event of ["shell", "chatty"]) {
    const { id } = await succeed("run_event", { id: event });
    const stream = await caller.get(`/api/app/stream_job/v1?id=${String(id)}`, admin);
    expect(stream.text).toContain("event: end");
    expect(host.seenByFunction.join() + stream.text).toContain(event === "chatty" ? "canary-" : "****");
    const { token } = await succeed("get_job", { id });
    await until(async () => ((await call("get_job", { id }))["job"] as { final?: boolean }).final === true);
    for (const path of [`get_job_log/v1?id=${id}`, `view_job_log/v1?id=${id}&t=${token}`])
      await caller.get(`/api/app/${path}`, admin);
  }
}

/** Runs a workflow over both, whose own secret reaches one of its jobs; their output goes on, and into a bucket. */
async function runWorkflow(): Promise<void> {
  await succeed("create_bucket", { id: "box", title: `Box ${CONTROL}` });
  const store = { enabled: true, type: "store", bucket_id: "box", bucket_sync: "data_and_files" };
  const own = { plugin: "shellplug", category: "general", targets: ["main"], params: { script: SCRIPT } };
  const node = (id: string, type: string, data: object = {}) => ({ id, type, x: 0, y: 0, data });
  const wires = [
    ...["start>shell", "start>chatty", "start>own", "shell>both:complete", "chatty>both:complete", "own>both:complete"],
    ...["both>any", "any>hook", "shell>keep:complete", "chatty>keep:complete", "own>keep:complete"],
  ];
  const connections = wires.map((wire, index) => {
    const [source, dest, condition] = wire.split(/[>:]/);
    return { id: `c${index}`, source, dest, ...(condition ? { condition } : {}) };
  });
  const nodes = [
    ...[
      node("start", "trigger"),
      node("shell", "event", { event: "shell" }),
      node("chatty", "event", { event: "chatty" }),
    ],
    ...[node("own", "job", own), node("both", "controller", { controller: "join" }), node("keep", "action", store)],
    node("any", "controller", { controller: "decision", decision: "data.items" }),
    node("hook", "action", { enabled: true, type: "web_hook", web_hook: "hook" }),
  ];
  await succeed("create_event", {
    ...{ id: "flow", title: `Flow ${CONTROL}`, enabled: true, type: "workflow", category: "general" },
    ...{ triggers: [{ id: "start", type: "manual", enabled: true }], workflow: { nodes, connections } },
  });
  const { id } = await succeed("run_event", { id: "flow" });
  await until(async () => ((await call("get_job", { id }))["job"] as { final?: boolean }).final === true);
  const { job } = await succeed("get_job", { id });
  expect(JSON.stringify(job)).toContain("****");
  const parts = (job as { workflow: { jobs: Record<string, { id: string }[]> } }).workflow.jobs;
  for (const part of Object.values(parts).flat()) {
    await succeed("get_job", { id: part.id });
    await caller.get(`/api/app/get_job_log/v1?id=${part.id}`, admin);
  }
  expect(JSON.stringify(await succeed("get_bucket", { id: "box" }))).toContain("****");
}

async function signIn(): Promise<void> {
  const administrator = { username: "admin", password: markers.get("administrator password") };
  const first = await succeed("user/login", administrator, {}, true);
  const cookie = learn("session id", first["cookie"]);
  const csrf = learn("CSRF token", first["csrf_token"]);
  const session = { cookie, csrf };
  await fail("user/login", { username: "admin", password: mark("wrong password") }, {});
  await fail("user/login", { username: mark("password in the place of the name"), password: "x" }, {});
  await fail("create_tag", { title: "T" }, { cookie });
  await fail("create_tag", { title: "T" }, { cookie, csrf: mark("wrong CSRF token") });
  await succeed("create_tag", { title: "T" }, session);
  await succeed("user/resume_session", {}, { cookie }, true);

  const password = mark("user password");
  await succeed("user/admin_create", { username: "ann", full_name: "Ann", email: "ann@example.com", password });
  await succeed("user/admin_update", { username: "ann", new_password: mark("password by an administrator") });
  const ann = await succeed(
    "user/login",
    { username: "ann", password: markers.get("password by an administrator") },
    {},
    true,
  );
  const own = {
    cookie: learn("session id of a user", ann["cookie"]),
    csrf: learn("CSRF token of a user", ann["csrf_token"]),
  };
  const old_password = markers.get("password by an administrator");
  await succeed("user/update", { username: "ann", old_password, new_password: mark("own password") }, own);
  await fail("user/update", { username: "ann", old_password: mark("wrong own password") }, own);
  await succeed("get_user_activity", {}, own);
  await succeed("user/forgot_password", { username: "ann", email: "ann@example.com" }, {});
  await until(() => mailed("Reset your"));
  const letter = host.mails.find(({ subject }) => subject.includes("Reset your"));
  const key = learn("recovery key", /&h=([0-9a-f]{64})/.exec(letter?.text ?? "")?.[1]);
  await fail(
    "user/reset_password",
    { username: "ann", key: "0".repeat(64), new_password: mark("refused password") },
    {},
  );
  await succeed("user/reset_password", { username: "ann", key, new_password: mark("password after recovery") }, {});
  await fail("admin_rotate_secret_key", { password: mark("password of a rotation") }, session);
  await succeed("logout_all", { password: markers.get("administrator password") }, session);
  await succeed("user/logout", {}, session);
  await fail("get_tags", {}, session);
}

async function useKeys(): Promise<void> {
  const { plain_key, api_key } = await succeed(
    "create_api_key",
    { title: "K", key: mark("key of one's own") },
    admin,
    true,
  );
  const key = learn("API key", plain_key);
  await succeed("get_tags", {}, { key });
  await fail("create_tag", { title: "T" }, { key });
  const { id } = api_key as { id: string };
  await succeed("update_api_key", { id, active: 0, expires: Math.floor(Date.now() / 1000) + DAY });
  await fail("get_tags", {}, { key });
  await fail("get_tags", {}, { key: mark("unknown key") });
  for (const [where, path] of [
    ["query", "get_tags"],
    ["query of an unknown operation", "no_such_operation"],
  ])
    await caller.get(
      `/api/app/${path}/v1?api_key=${mark(`key in the ${where}`)}&session_id=${mark(`id in the ${where}`)}`,
      {},
    );
  await fail("create_tag", { title: "T", api_key: mark("key in the body"), session_id: mark("id in the body") }, {});
  await fail("create_tag", { title: "T", session_id: mark("id beside a key") });
  await succeed("create_tag", { title: "T", csrf_token: mark("token beside a key") });
  const broken = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"password":"${mark("broken body")}`,
  };
  await caller.request("/api/user/login/v1", broken, {}, false);
  await succeed("echo", { sleep: 1, password: "x", api_key: admin.key });
}

/** Reads everything that a caller can read with at most an id. */
async function readAll(): Promise<void> {
  for (const [operation, { method, kind }] of host.signalbox.operations)
    if (method !== "POST" && kind === "query") {
      const path = operation.startsWith("user/") ? operation : `app/${operation}`;
      for (const query of ["", "?id=used", "?id=shell", "?id=hook"]) await caller.get(`/api/${path}/v1${query}`, admin);
    }
  for (const input of [{ limit: 1000 }, { limit: 1000, query: "action:secret_access" }])
    expect(JSON.stringify(await succeed("search_activity", input))).toContain("used");
  for (const type of ["secrets", "events", "web_hooks"])
    await succeed("search_revision_history", { type, limit: 1000 });
  await succeed("get_multiple", { lists: "all", jobs: 1, alerts: 1, servers: 1 });
  await succeed("admin_get_config");
  for (const log of ["Signalbox", "Error", "Secret"]) await succeed("admin_search_logs", { log, rows: 1000 });
  await succeed("user/admin_get_users");
  await succeed("get_api_keys");
  await caller.unpack("/api/app/admin_export_data/v1?lists=all&indexes=all&extras=all", admin);
}

test.each(["plain", "address", "hex", "base64"])("a marker is found in its %s form, at any place", (form) => {
  const marker = "canary-with a blank-0123456789";
  const write = (text: string): string => {
    if (form === "plain") return text;
    return form === "address" ? encodeURIComponent(text) : Buffer.from(text).toString(form as "hex");
  };
  for (const before of ["", "a", "ab", "abc"])
    expect(markersIn(`x ${write(`${before}${marker}zz`)} y`, new Map([["it", marker]]))).toEqual(["it"]);
});

const steps = { keepSecrets, useHooks, runJobs, runWorkflow, signIn, useKeys, readAll };

test("no secret value, password, key or session id is in the output or the answers of the program", async () => {
  for (const step of Object.values(steps)) await step();
  await until(() => mailed("Shell") && mailed("function") && host.receiver.received.length >= 6);
  const hooked = host.receiver.received.map((each) => JSON.stringify(each)).join("\n");
  const { mails, lines } = host;
  const whileRunning = await filesBelow(directory);
  await host.signalbox.stop();
  const places = new Map<string, Buffer | string>([...whileRunning, ...(await filesBelow(directory))]);
  for (const [index, { what, text }] of caller.told.entries()) places.set(`answer ${index} to ${what}`, text);
  places.set("log", lines.join(""));

  const found = [...places].flatMap(([place, content]) =>
    markersIn(content, markers).map((name) => `${name}: ${place}`),
  );
  expect(found).toEqual([]);
  // The recovery key may appear only in its letter.
  const letters = mails.map((mail) => JSON.stringify(mail)).join("\n");
  expect(markersIn(letters, markers)).toEqual(["recovery key"]);
  // Web hooks carry only the values they are meant for.
  expect(markersIn(hooked, markers)).toEqual(["secret value", "quoted value"]);
  // Once on its own, and once as part of the workflow.
  expect(host.seenByFunction).toEqual([markers.get("secret value"), markers.get("secret value")]);

  const control = new Map([["control", CONTROL]]);
  const seen = [...places].filter(([, content]) => markersIn(content, control).length > 0).map(([place]) => place);
  expect(seen.some((place) => place.includes("canary.sqlite"))).toBe(true);
  expect(seen.some((place) => place.startsWith("answer"))).toBe(true);
  expect(seen).toContain("log");
  const bytes = [...places.values()].reduce((sum, content) => sum + content.length, 0);
  console.log(`Canary: ${markers.size} markers, ${places.size} places, ${bytes} bytes, 0 found`);
});
