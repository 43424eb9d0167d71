import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manual } from "@signalbox/adapters/documents";
import { keyFile } from "@signalbox/adapters/keys";
import { fileLogger } from "@signalbox/adapters/log";
import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { openAdmin, PASSWORD, START } from "./boxes/admin-box.ts";
import { STORAGES } from "./open-storage.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "signalbox-admin-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe.each(STORAGES)("the secret key over %s", (name) => {
  test("is changed by a call with a password, and everything encrypted can be read", async () => {
    const filename = join(folder(), "secret.keys");
    const initial = ["a secret key for tests"];
    const at = await openAdmin(name, { keyProvider: keyFile({ filename, initial }) });
    for (const id of ["z1", "z2"]) {
      const made = await at.post("create_secret", { id, title: id, fields: [{ name: "A", value: `value ${id}` }] });
      expect(made.body).toMatchObject({ code: 0 });
    }
    const user = await at.signIn();
    expect((await user("admin_rotate_secret_key", { password: "wrong" })).body).toEqual({
      ...{ code: "admin", description: "Incorrect password." },
    });
    expect((await at.post("admin_rotate_secret_key", { password: PASSWORD })).body).toMatchObject({ code: "admin" });
    const { body } = await user("admin_rotate_secret_key", { password: PASSWORD });
    expect(body).toEqual({ code: 0, id: expect.stringMatching(/^i\w+$/) });
    expect(await at.jobs()).toMatchObject([{ id: body.id, title: "Secret key rotation", type: "maint" }]);
    const { job } = await at.ended(body.id);
    expect(job).toMatchObject({
      outcome: "done",
      stats: { resealed: 2 },
      details: expect.stringContaining("2 secrets"),
    });
    const [key = "", former] = readFileSync(filename, "utf8").split("\n");
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(former).toBe("a secret key for tests");
    for (const id of ["z1", "z2"])
      expect((await at.post("decrypt_secret", { id })).body.fields).toEqual([{ name: "A", value: `value ${id}` }]);
    const state = (await at.get("get_global_state/v1")).body.state;
    expect(state.scheduler.enabled).toBe(false);
    expect((await user("get_tags")).body.code).toBe(0);
    const told = JSON.stringify([job, (await at.get("search_activity/v1?limit=100")).body, state]);
    for (const secret of [key, former, PASSWORD, "value z1"]) expect(told).not.toContain(secret);
  });
});

test("a key that the host keeps is changed by the host", async () => {
  const at = await openAdmin("memory");
  const user = await at.signIn();
  const { body } = await user("admin_rotate_secret_key", { password: PASSWORD });
  expect(body.code).toBe("admin");
  expect(body.description).toBe("Cannot rotate secret key when specified via environment variable.");
});

async function openLogs() {
  const clock = fakeClock(START);
  const log = fileLogger({ folder: folder(), clock, timeZone: "UTC", level: "debug" });
  const at = await openAdmin("sqlite", { log, logFiles: log });
  for (let n = 0; n < 250; n++) log.info({ component: "Shop", n }, `Sold ${n % 2 === 0 ? "Tea" : "milk"}`);
  log.error({ component: "Shop", code: "stock" }, "Out of tea");
  return {
    ...at,
    log,
    own: clock,
    find: async (members: object) => (await at.post("admin_search_logs", members)).body,
  };
}

describe("logs", () => {
  test("give the newest matches, and the number of lines", async () => {
    const { find } = await openLogs();
    const all = await find({ log: "Shop" });
    expect([all.code, all.rows.length, all.list.length]).toEqual([0, 100, 251]);
    expect(Object.keys(all.rows[0])).toEqual([
      ...["hires_epoch", "date", "hostname", "pid", "component", "category", "code", "msg", "data"],
    ]);
    expect(all.rows.at(-1)).toMatchObject({ category: "error", code: "stock", msg: "Out of tea", component: "Shop" });
    const two = await find({ log: "Shop", rows: 2, match: "sold tea", cols: "msg,data" });
    expect(two.rows).toEqual([
      { msg: "Sold Tea", data: '{"n":246}' },
      { msg: "Sold Tea", data: '{"n":248}' },
    ]);
    expect(two.list.length).toBe(251);
    expect((await find({ log: "Shop", match: "sold tea", case: 1 })).rows).toEqual([]);
    expect((await find({ log: "Shop", match: '"n":24[0-3]', regex: true })).rows).toHaveLength(4);
    expect((await find({ log: "Error", cols: ["msg"] })).rows).toEqual([{ msg: "Out of tea" }]);
  });

  test("of past days are packed at midnight and found by their date", async () => {
    const { clock, find, log, own, until } = await openLogs();
    own.step(86_400);
    clock.step(86_400);
    log.info({ component: "Shop" }, "Opened");
    await until(async () => (await find({ log: "Shop", date: "2027-01-15" })).code === 0);
    expect((await find({ log: "Shop", date: "2027-01-15" })).list.length).toBe(251);
    expect((await find({ log: "Shop" })).rows).toMatchObject([{ msg: "Opened" }]);
  });

  test.each<[string, object, string, string]>([
    ["another name", { log: "../../etc/passwd" }, "api", "Malformed parameter: log"],
    ["no name", {}, "api", "Missing parameter: log"],
    ["an unknown log", { log: "Nothing" }, "admin", "Log not found: Nothing"],
    ["an impossible day", { log: "Shop", date: "2020-01-01" }, "admin", "Log not found: Shop of 2020-01-01"],
    ["a day of no calendar", { log: "Shop", date: "../x" }, "api", "Malformed parameter: date"],
    ["a bad pattern", { log: "Shop", match: "(", regex: true }, "api", "Malformed parameter: match ("],
    ["a pattern without an end", { log: "Bad", match: "(a+)+!", regex: true }, "api", "Malformed parameter: match ("],
    ["too many rows", { log: "Shop", rows: 1001 }, "api", "Malformed parameter: rows"],
    ["no row", { log: "Shop", rows: 0 }, "api", "Malformed parameter: rows"],
    ["an unknown column", { log: "Shop", cols: "password" }, "api", "Malformed parameter: cols"],
  ])("refuse %s", async (_what, members, code, description) => {
    const { find, log } = await openLogs();
    for (let n = 0; n < 40; n++) log.info({ component: "Bad" }, "a".repeat(3000));
    const body = await find(members);
    expect(body).toMatchObject({ code, description: expect.stringContaining(description) });
    expect(JSON.stringify(body)).not.toMatch(/at .*\.ts/);
  });

  test("are unavailable without files", async () => {
    const at = await openAdmin("memory");
    expect((await at.post("admin_search_logs", { log: "Error" })).body).toEqual({
      ...{ code: "admin", description: "Logs are not kept here: the server was started without log files." },
    });
  });
});

describe("documents of the manual", () => {
  test("are read by name and found by anchor and words", async () => {
    const at = await openAdmin("memory", { documents: manual() });
    const page = (await at.get("get_doc/v1?doc=guide/secrets")).body;
    expect(page).toEqual({ code: 0, doc: "guide/secrets", markdown: expect.stringMatching(/^# Secrets\n/) });
    const linked = (await at.get("search_docs/v1?anchor=rotate-by-a-call")).body;
    expect(linked.rows).toMatchObject([{ doc: "guide/secrets", heading: "Rotate by a call" }]);
    expect((await at.get("search_docs/v1?query=rotate+call")).body.rows[0]).toMatchObject({
      anchor: "rotate-by-a-call",
    });
    for (const [path, code] of [
      ["get_doc/v1?doc=../README", "api"],
      ["get_doc/v1?doc=guide/nothing", "admin"],
      ["get_doc/v1", "api"],
      ["search_docs/v1", "api"],
    ])
      expect((await at.get(String(path))).body.code).toBe(code);
  });

  test("are refused with a clear message when there are none", async () => {
    const at = await openAdmin("memory");
    for (const path of ["get_doc/v1?doc=guide/secrets", "search_docs/v1?query=x"])
      expect((await at.get(path)).body).toEqual({
        ...{ code: "admin", description: "There is no documentation here: the server was started without any." },
      });
  });
});

test("the host program cannot be changed by calls", async () => {
  const at = await openAdmin("memory");
  for (const { body } of [
    await at.get("get_master_releases/v1"),
    await at.post("admin_upgrade_masters", { release: "latest" }),
    await at.post("master_command", { commands: ["restart"] }),
  ])
    expect(body).toMatchObject({
      code: "admin",
      description: expect.stringContaining("not supported in embedded mode"),
    });
});
