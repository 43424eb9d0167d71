import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, recordingLogger, refusalOf, startEngine } from "../../../../test/engine.ts";
import { shared } from "../../../../test/shared.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import type { ConfigInput } from "../../../engine/config.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { scriptedAgent } from "../../../testing/scripted-agent.ts";
import { defineEvent } from "../../../work/events/define-event.ts";
import { configOverrideCollection } from "../collection.ts";
import { MASK } from "../rules/overrides.ts";

const update = (values: Record<string, unknown>) => values as Record<string, never>;

async function setUp(config: ConfigInput = {}, storage: Storage = memoryStorage()) {
  const probe = cradleProbe();
  const log = recordingLogger();
  const engine = await startEngine({ plugins: [probe.plugin], config: { presets: false, ...config }, storage, log });
  const { storage: store, transact } = probe.cradle();
  const rows = () => store.read((tx) => tx.collection(activityCollection).list());
  return { ...engine, lines: log.lines, rows, transact, [Symbol.asyncDispose]: () => engine.stop() };
}

describe("a host without a place for files", () => {
  const forgetful = /^No blob store was given: files and the output of jobs are kept in the memory of this process/;
  const { blobs, ...storage } = memoryStorage();

  test("is reported at start, in the log and by admin_get_config", async () => {
    await using at = await setUp({}, storage);
    expect(at.report.warnings).toEqual([expect.stringMatching(forgetful)]);
    expect((await at.api.adminGetConfig()).warnings).toEqual(at.report.warnings);
    expect(at.lines).toContainEqual({ level: "warn", message: expect.stringMatching(forgetful), fields: {} });
  });

  test("is not reported when the host gives one, or its storage does", async () => {
    for (const options of [{ storage: { ...storage }, blobs: memoryBlobStore() }, { storage: { ...storage, blobs } }]) {
      await using at = await startEngine({ ...(options as { storage: Storage }) });
      expect(at.report).not.toHaveProperty("warnings");
      expect(await at.api.adminGetConfig()).not.toHaveProperty("warnings");
    }
  });
});

test("a host with events and no agent is warned at start that their jobs will not run", async () => {
  const events = [defineEvent({ id: "report", title: "Report", run: () => 1 })];
  await using alone = await startEngine({ events });
  expect(alone.report.warnings).toEqual([expect.stringMatching(/no agent.*none of their jobs.*localAgent\(\)/)]);
  await using whole = await startEngine({ events, agents: scriptedAgent() });
  expect(whole.report).not.toHaveProperty("warnings");
});

describe("admin_get_config", () => {
  test("shows the settings in force, without keys and with credentials masked", async () => {
    await using at = await setUp({
      secret_key: "never shown",
      Debug: { enabled: true },
      mail_settings: { host: "mail", auth: { user: "u", pass: "hunter2" } },
    } as ConfigInput);
    const answer = await at.api.adminGetConfig();
    expect(answer).toMatchObject({ overrides: {}, sample: {}, markdown: "" });
    expect(answer.config).toMatchObject({
      tz: "UTC",
      db_maint: { activity: { max_rows: 100_000 } },
      mail_settings: { host: "mail", auth: { user: "u", pass: MASK } },
    });
    expect(answer.config).not.toHaveProperty("secret_key");
    expect(answer.config).not.toHaveProperty("Debug");
    expect(JSON.stringify(answer)).not.toContain("hunter2");
  });

  test("is for administrators, as is admin_update_config", async () => {
    await using at = await setUp();
    const plain = at.as(keyWith(["edit_plugins"]));
    expect((await refusalOf(plain.adminGetConfig())).code).toBe("access");
    expect((await refusalOf(plain.adminUpdateConfig({}))).code).toBe("access");
  });
});

describe("admin_update_config", () => {
  test("takes effect at once, in the object that all parts share", async () => {
    await using at = await setUp();
    const { db_maint: section } = at.config;
    await at.api.adminUpdateConfig(update({ "db_maint.activity.max_rows": 7, "client.name": "Ops", own: { a: 1 } }));
    expect(section.activity.max_rows).toBe(7);
    expect(at.config.client.name).toBe("Ops");
    expect(at.config["own"]).toEqual({ a: 1 });
    expect((await at.api.adminGetConfig()).overrides).toEqual({
      "db_maint.activity.max_rows": 7,
      "client.name": "Ops",
      own: { a: 1 },
    });
  });

  test("adds to earlier overrides; a whole section replaces the overrides inside it", async () => {
    await using at = await setUp();
    await at.api.adminUpdateConfig(update({ "client.name": "A", "tickets.email_enabled": false }));
    await at.api.adminUpdateConfig(update({ client: { name: "B" } }));
    expect(at.config.client.name).toBe("B");
    expect(at.config.tickets.email_enabled).toBe(false);
    expect((await at.api.adminGetConfig()).overrides).toEqual({
      client: { name: "B" },
      "tickets.email_enabled": false,
    });
    await at.api.adminUpdateConfig(update({ "client.name": "C" }));
    expect(at.config.client.name).toBe("C");
  });

  test("null removes an override, and the overrides inside it", async () => {
    await using at = await setUp({ tickets: { email_enabled: false }, locale: "de-DE" });
    await at.api.adminUpdateConfig(update({ locale: "fr-FR", "tickets.email_enabled": true, own: 1 }));
    await at.api.adminUpdateConfig(update({ locale: null, tickets: null, own: null, base_api_url: null }));
    expect(at.config).toMatchObject({ locale: "de-DE", tickets: { email_enabled: false } });
    expect(at.config).not.toHaveProperty("own");
    expect((await at.api.adminGetConfig()).overrides).toEqual({});
  });

  test("null inside a section that was set leaves the rest of the section", async () => {
    await using at = await setUp({ client: { name: "Host" } });
    await at.api.adminUpdateConfig(update({ client: { name: "Set", company: "C" } }));
    await at.api.adminUpdateConfig(update({ "client.name": null }));
    expect(at.config.client).toMatchObject({ name: "Host", company: "C" });
    await at.api.adminUpdateConfig(update({ client: null }));
    expect(at.config.client).not.toHaveProperty("company");
    expect((await at.api.adminGetConfig()).overrides).toEqual({});
  });

  test("outlives the engine and takes effect before other plugins start", async () => {
    const storage = memoryStorage();
    await using first = await setUp({}, storage);
    await first.api.adminUpdateConfig(update({ tz: "Europe/Berlin", "client.name": "Kept" }));
    let seen = "";
    const look = definePlugin({
      id: "acme.look",
      async start({ config }) {
        seen = `${config.tz} ${config.client.name}`;
      },
    });
    await using second = await startEngine({ storage, plugins: [look] });
    expect(seen).toBe("Europe/Berlin Kept");
    expect(second.config.tz).toBe("Europe/Berlin");
  });

  const unchanged = shared(setUp);
  test.each([
    [
      { "db_maint.activity.max_rows": "many" },
      "Malformed parameter: db_maint.activity.max_rows (Invalid input: expected number, received string)",
    ],
    [{ tz: "Mars/Olympus" }, "Malformed parameter: tz (not a time zone)"],
    [{ maintenance: "25:00" }, "Malformed parameter: maintenance (not a time like 04:30)"],
    [
      { hostname_display_strip: "(" },
      "Malformed parameter: hostname_display_strip (not a regular expression that matches quickly)",
    ],
    [
      { ip_display_strip: "^(a+)+$" },
      "Malformed parameter: ip_display_strip (not a regular expression that matches quickly)",
    ],
    [
      { "tickets.overdue_query": "due:<nonsense" },
      "Malformed parameter: tickets.overdue_query (not a query of tickets: Not understood: due <nonsense)",
    ],
    [
      { "tickets.overdue_query": "(((" },
      "Malformed parameter: tickets.overdue_query (not a query of tickets: Not understood: body ((()",
    ],
    [
      { "mail_templates.job_fail": "<!-- Subject: {{ job.id + }} -->\nFailed" },
      "Malformed parameter: mail_templates.job_fail (not a text with macros: Unexpected end of expression: job.id + )",
    ],
    [
      { "tickets.templates": { alert: "{{ }}" } },
      "Malformed parameter: tickets.templates.alert (not a text with macros: Expression is empty)",
    ],
    [
      { "hook_text_templates.job_start": "{{ event.title + }}" },
      "Malformed parameter: hook_text_templates.job_start (not a text with macros: Unexpected end of expression: event.title + )",
    ],
    [{ "tz.x": 1 }, "Malformed parameter: tz.x"],
    [{ "a b": 1 }, "Malformed parameter: a b"],
    [{ "client.__proto__.name": 1 }, "Malformed parameter: client.__proto__.name"],
    [{ "client.name": "New", secret_key: "x" }, "Cannot update reserved configuration keys via API."],
    [{ "SSO.enabled": true }, "Cannot update reserved configuration keys via API."],
  ])("refuses %j and changes nothing", async (values, description) => {
    const at = await unchanged();
    const before = JSON.stringify(at.config);
    expect(await refusalOf(at.api.adminUpdateConfig(update(values)))).toEqual({ code: "api", description });
    expect(JSON.stringify(at.config)).toBe(before);
    expect((await at.api.adminGetConfig()).overrides).toEqual({});
  });

  test("logs the names, never the values", async () => {
    await using at = await setUp();
    await at.api.adminUpdateConfig(update({ "mail_settings.auth.pass": "hunter2" }));
    const rows = await at.rows();
    expect(rows.at(-1)).toMatchObject({ action: "config_update", params: ["mail_settings.auth.pass"] });
    expect(JSON.stringify(rows)).not.toContain("hunter2");
  });

  test("ignores a mask that is sent back", async () => {
    await using at = await setUp({ mail_settings: { host: "a", auth: { pass: "hunter2" } } });
    const { config } = await at.api.adminGetConfig();
    await at.api.adminUpdateConfig(update({ "mail_settings.auth.pass": MASK }));
    expect((await at.api.adminGetConfig()).overrides).toEqual({});
    const sent = { ...(config["mail_settings"] as object), host: "b" };
    await at.api.adminUpdateConfig(update({ mail_settings: sent }));
    expect(at.config.mail_settings).toEqual({ host: "b", auth: { pass: "hunter2" } });
    expect(JSON.stringify(await at.api.adminGetConfig())).not.toContain("hunter2");
  });

  test("without any value does nothing", async () => {
    await using at = await setUp();
    const count = (await at.rows()).length;
    expect(await at.api.adminUpdateConfig({})).toEqual({});
    expect(await at.rows()).toHaveLength(count);
  });
});

test("holds a thousand overrides at most", async () => {
  await using at = await setUp();
  const paths = (prefix: string, count: number) =>
    update(Object.fromEntries(Array.from({ length: count }, (_, n) => [`client.${prefix}${n}`, n])));
  const refused = { code: "api", description: "Record is too large." };
  expect(await refusalOf(at.api.adminUpdateConfig(paths("a", 1001)))).toEqual(refused);
  await at.api.adminUpdateConfig(paths("a", 1000));
  expect(await refusalOf(at.api.adminUpdateConfig(paths("b", 1)))).toEqual(refused);
  await at.api.adminUpdateConfig(update({ "client.a0": null, "client.b0": 1 }));
  expect(Object.keys((await at.api.adminGetConfig()).overrides)).toHaveLength(1000);
});

test("a stored override that is no longer valid is left out and logged", async () => {
  const storage = memoryStorage();
  await using first = await setUp({}, storage);
  await first.transact(async ({ tx }) => {
    const overrides = tx.collection(configOverrideCollection);
    await overrides.insert({ id: "tz", value: "Atlantis", username: "joe", modified: 1 });
    await overrides.insert({ id: "client.name", value: "Good", username: "joe", modified: 1 });
  });
  await using second = await setUp({}, storage);
  expect(second.config).toMatchObject({ tz: "UTC", client: { name: "Good" } });
  const told = { level: "error", fields: { path: "tz" } };
  expect(second.lines).toContainEqual(expect.objectContaining(told));
});

test("a stored override of a host-only setting is left out and logged", async () => {
  const storage = memoryStorage();
  await using first = await setUp({}, storage);
  const stored = { hook_shell_exec: true, secret_key: "mine", "a b": 2, "client.name": "Good" };
  await first.transact(async ({ tx }) => {
    const overrides = tx.collection(configOverrideCollection);
    for (const [id, value] of [...Object.entries(stored), ["__proto__", { hook_shell_exec: true }] as const])
      await overrides.insert({ id, value, username: "joe", modified: 1 });
  });
  await using second = await setUp({}, storage);
  expect(second.config).toMatchObject({ hook_shell_exec: false, client: { name: "Good" } });
  expect(second.config).not.toHaveProperty("a b");
  for (const path of ["hook_shell_exec", "secret_key", "a b", "__proto__"])
    expect(second.lines).toContainEqual(expect.objectContaining({ level: "error", fields: { path } }));
  const hooks = { "*": { shell_exec: "touch /tmp/x" } };
  expect((await refusalOf(second.api.adminUpdateConfig(update({ hooks })))).description).toContain("commands are off");
  await second.api.adminUpdateConfig(update({ "client.name": "Better" }));
  expect(second.config.client.name).toBe("Better");
});

test("settings of another node are applied with its definitions", async () => {
  const probe = cradleProbe();
  await using engine = await startEngine({ plugins: [probe.plugin] });
  const { definitions } = probe.cradle();
  const record = { id: "client.name", value: "Elsewhere", username: "joe", modified: 1 };
  definitions.apply(new Map([["config_overrides", new Map([[record.id, record]])]]));
  engine.events.emit("definitions.changed", { collection: "config_overrides", ids: [record.id] });
  expect(engine.config.client.name).toBe("Elsewhere");
  // A gap in the messages emits no event; the check of the next minute finds the change.
  definitions.apply(new Map([["config_overrides", new Map([[record.id, { ...record, value: "Later" }]])]]));
  await engine.clock.advance(61);
  expect(engine.config.client.name).toBe("Later");
});
