import { describe, expect, test } from "vitest";
import { keyWith, recordingLogger, refusalOf } from "../../../test/engine.ts";
import { type Step, scriptedClient } from "../../../test/scripted-client.ts";
import { anonymous, localClient } from "../../kernel/context.ts";
import type { StreamResult } from "../../kernel/operation.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { commands, startJobs } from "../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
const KEY = "EXAMPLE_CLUSTER_KEY";
const DAY = 86_400;
const DENIED = { code: "satellite", description: "Access denied." };
const BAD_URL = { code: "satellite", description: "Invalid satellite API URL." };

async function setUp(config: Members = {}, ...steps: readonly Step[]) {
  const log = recordingLogger();
  const client = scriptedClient(...steps);
  const jobs = await startJobs({ log, config, webHooks: client });
  const { api, as, execute } = jobs.signalbox;
  const adder = as(keyWith(["add_servers"]));
  const { plain_key: key } = await api.createApiKey({ title: "Adder", privileges: { add_servers: true } });
  const open = (pathSuffix: string, input: Members, baseUrl = "https://ops.example.com") =>
    execute({
      operation: "satellite",
      input,
      actor: anonymous,
      client: { ...localClient, pathSuffix, baseUrl, method: "GET" },
    }) as Promise<StreamResult>;
  return {
    ...jobs,
    adder,
    api,
    client,
    key,
    log,
    open,
    text: async (path: string, input: Members, baseUrl?: string) => {
      const { body = [] } = await open(path, input, baseUrl);
      return Buffer.concat(await Array.fromAsync(body)).toString();
    },
    put: async (key: string, text = "package") =>
      jobs.blobs.put(
        key,
        (async function* () {
          yield Buffer.from(text);
        })(),
      ),
  };
}

const serverToken = (id: string): string => sha256Hex(id + KEY);

describe("get_satellite_token", () => {
  test("answers a token and where agents reach the service", async () => {
    const at = await setUp({ satellite: { image: "registry.example.com/agent", version: "v1.2.3" } });
    expect(await at.adder.getSatelliteToken()).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      base_url: "http://localhost:5522",
      image: "registry.example.com/agent",
      version: "v1.2.3",
    });
  });

  test("the configured host wins", async () => {
    const at = await setUp({ satellite: { config: { host: "conductor.internal" } } });
    expect((await at.adder.getSatelliteToken()).base_url).toBe("http://conductor.internal:5522");
  });

  test.each<[Members, string]>([
    [{ expires: 0 }, "Malformed parameter: expires"],
    [{ expires: 30 * DAY + 1 }, "Malformed parameter: expires"],
    [{ expires: "soon" }, "Parameter is not type number: expires"],
    [{ groups: "A!" }, "Malformed parameter: groups"],
    [{ groups: 5 }, "Parameter is not an array: groups"],
    [{ enabled: "maybe" }, "Parameter is not type boolean: enabled"],
  ])("%j is malformed", async (input, description) => {
    const at = await setUp();
    expect(await refusalOf(at.adder.getSatelliteToken(input as never))).toEqual({ code: "api", description });
  });

  test("the token is good until it expires, and never logged", async () => {
    const at = await setUp();
    const { token: t } = await at.adder.getSatelliteToken({ expires: 60 });
    await at.clock.advance(59);
    expect((await at.open("config", { t })).contentType).toBe("application/json");
    await at.clock.advance(2);
    expect(await refusalOf(at.open("config", { t }))).toEqual(DENIED);
    expect(JSON.stringify(at.log.lines)).not.toContain(t);
  });

  test("a thousand tokens are kept, the oldest goes first", async () => {
    const at = await setUp();
    const { token: first } = await at.adder.getSatelliteToken();
    const { token: second } = await at.adder.getSatelliteToken();
    for (let count = 0; count < 999; count++) await at.adder.getSatelliteToken();
    expect(await refusalOf(at.open("config", { t: first }))).toEqual(DENIED);
    expect((await at.open("config", { t: second })).contentType).toBe("application/json");
  });
});

describe("who may fetch what", () => {
  const os = { os: "linux", arch: "x64" };
  const names = ["install", "upgrade", "core", "config"] as const;

  test.each(names)("%s: an API key that may add servers, and a token", async (name) => {
    const at = await setUp();
    await at.put("satellite/latest/satellite-linux-x64.tar.gz");
    const { token } = await at.adder.getSatelliteToken();
    for (const t of [at.key, token]) expect((await at.open(name, { t, ...os })).status).toBeUndefined();
  });

  test.each<[string, boolean]>([
    ["install", false],
    ["config", false],
    ["upgrade", true],
    ["core", true],
  ])("%s with the token of a server: %s", async (name, isOpen) => {
    const at = await setUp();
    await at.put("satellite/latest/satellite-linux-x64.tar.gz");
    await at.connect();
    const call = at.open(name, { t: serverToken("s1"), s: "s1", ...os });
    if (isOpen) expect((await call).status).toBeUndefined();
    else expect(await refusalOf(call)).toEqual(DENIED);
  });

  test.each(names)("%s is closed to everybody else", async (name) => {
    const at = await setUp();
    await at.connect();
    const { plain_key: other } = await at.api.createApiKey({ title: "Other", privileges: { run_jobs: true } });
    const { plain_key: off } = await at.api.createApiKey({
      title: "Off",
      active: false,
      privileges: { add_servers: true },
    });
    const shown: Members[] = [
      {},
      { t: "" },
      { t: "a b" },
      { t: "unknown" },
      { t: other },
      { t: off },
      { t: serverToken("s1") },
      { t: serverToken("s1"), s: "s2" },
      { t: serverToken("s9"), s: "s9" },
      { t: KEY, s: "s1" },
    ];
    for (const each of shown) expect(await refusalOf(at.open(name, { ...each, ...os }))).toEqual(DENIED);
  });

  test("a server that left may renew itself for a day", async () => {
    const at = await setUp();
    const server = await at.connect();
    server.close();
    await at.settle();
    at.clock.step(3600);
    const call = () => at.open("upgrade", { t: serverToken("s1"), s: "s1" });
    expect((await call()).contentType).toContain("text/plain");
    at.clock.step(DAY);
    expect(await refusalOf(call())).toEqual(DENIED);
  });

  test.each(["", "uninstall", "install/../config", "core/v1/x", "__proto__", "constructor"])(
    "there is no method %j",
    async (name) => {
      const at = await setUp();
      expect(await refusalOf(at.open(name, { t: at.key }))).toEqual({
        code: "satellite",
        description: "Invalid satellite API method.",
      });
    },
  );

  test("a version may stand at the end", async () => {
    const at = await setUp();
    expect((await at.open("install/v1", { t: at.key })).contentType).toContain("text/plain");
  });
});

describe("the scripts", () => {
  test("hold the address that the caller used, and a token in the place of an API key", async () => {
    const at = await setUp();
    const text = await at.text("install", { t: at.key }, "https://ops.example.com/tools");
    expect(text.startsWith("#!/bin/sh\n")).toBe(true);
    expect(text).toContain('\nBASE_URL="https://ops.example.com"\nAPI="$BASE_URL/tools/api/app/satellite/v1"\n');
    expect(text).not.toContain(at.key);
    const [, t = ""] = /ACCESS='t=([0-9a-f]{64})'/.exec(text) ?? [];
    expect((await at.open("config", { t })).contentType).toBe("application/json");
  });

  test("for an upgrade name the server and fetch no configuration", async () => {
    const at = await setUp();
    await at.connect();
    const t = serverToken("s1");
    for (const os of ["linux", "windows"]) {
      const text = await at.text("upgrade", { t, s: "s1", os });
      expect(text).toContain(`'t=${t}&s=s1'`);
      expect(text).not.toContain("/config?");
    }
  });

  test("for Windows are PowerShell", async () => {
    const at = await setUp();
    const text = await at.text("install", { t: at.key, os: "windows" });
    expect(text).toContain("$ErrorActionPreference = 'Stop'");
    expect(text).toContain('$BASE_URL="https://ops.example.com"\n$Api = "$BASE_URL/api/app/satellite/v1"');
  });

  test.each([
    ...["https://ops.example.com/'; rm -rf / #", "https://$(id).example.com", "https://a`id`.example.com"],
    ...["https://ops.example.com/\n", "not an address"],
  ])("never hold %j", async (base) => {
    const at = await setUp();
    const call = at.text("install", { t: at.key }, base);
    const text = await call.catch(() => "");
    expect(text.includes("rm -rf /") || text.includes("$(id)") || text.includes("`id`")).toBe(false);
    if (text === "") expect(await refusalOf(at.text("install", { t: at.key }, base))).toEqual(BAD_URL);
  });

  test.each<Members>([{ s: "a;b" }, { os: "../x" }, { arch: "x 64" }, { groups: "a!" }, { os: "o".repeat(65) }])(
    "%j makes no script",
    async (input) => {
      const at = await setUp();
      expect(await refusalOf(at.text("install", { t: at.key, ...input }))).toEqual(BAD_URL);
    },
  );
});

describe("the configuration of a new agent", () => {
  test("is a new identity each time, which can join", async () => {
    const at = await setUp({ satellite: { config: { child_kill_timeout: 20 } } });
    const { token: t } = await at.adder.getSatelliteToken({ title: "Web", groups: ["main"], icon: "server" });
    const [one, two] = [JSON.parse(await at.text("config", { t })), JSON.parse(await at.text("config", { t }))];
    expect(one).toEqual({
      child_kill_timeout: 20,
      airgap: expect.objectContaining({ enabled: false }),
      hosts: ["ops.example.com"],
      port: 443,
      secure: true,
      server_id: expect.stringMatching(/^s[a-z0-9]{15}$/),
      auth_token: serverToken(one.server_id),
      initial: { title: "Web", groups: ["main"], icon: "server" },
    });
    expect(two.server_id).not.toBe(one.server_id);
    const known = at.signalbox.execute({ operation: "get_server", input: { id: one.server_id }, actor: keyWith([]) });
    expect((await refusalOf(known)).code).toBe("notfound");
    const { server_id: id, auth_token: token, initial } = one;
    const server = await at.agent.connect({ hostname: "new.example.internal", id, initial, join: { token } });
    await at.settle();
    expect((await at.api.getActiveServer({ id: server.id })).server).toMatchObject({ title: "Web", groups: ["main"] });
  });

  test("takes over what the address of the script said", async () => {
    const at = await setUp();
    const { token: t } = await at.adder.getSatelliteToken({ title: "Web", groups: [] });
    await at.text("install", { t, os: "linux", title: "Mail", enabled: "0", groups: "main, db", username: "evil" });
    expect(JSON.parse(await at.text("config", { t })).initial).toEqual({
      title: "Mail",
      enabled: false,
      groups: ["main", "db"],
    });
  });
});

describe("the package", () => {
  const linux = { os: "linux", arch: "x64" };

  test("comes from the blob store", async () => {
    const at = await setUp();
    await at.put("satellite/latest/satellite-linux-x64.tar.gz", "archive");
    const { body = [], ...answer } = await at.open("core", { t: at.key, ...linux });
    expect(answer).toEqual({
      contentType: "application/gzip",
      headers: { "Content-Disposition": 'attachment; filename="satellite-linux-x64.tar.gz"', "Content-Length": "7" },
    });
    expect(Buffer.concat(await Array.fromAsync(body)).toString()).toBe("archive");
  });

  test.each([
    ["latest", "https://example.com/agent/latest/download/satellite-linux-x64.tar.gz"],
    ["v1.2", "https://example.com/agent/download/v1.2/satellite-linux-x64.tar.gz"],
  ])("of release %s is fetched from %s when there is none", async (version, url) => {
    const at = await setUp({ satellite: { version, base_url: "https://example.com/agent/" } });
    const answer = await at.open("core", { t: at.key, ...linux });
    expect(answer).toMatchObject({ status: 302, headers: { Location: url } });
  });

  test("is fetched anew once it is old, when there is an address for it", async () => {
    const settings = { base_url: "https://example.com", cache_ttl: 60 };
    const [at, closed] = [await setUp({ satellite: settings }), await setUp({ satellite: { cache_ttl: 60 } })];
    for (const { put, clock, open, key } of [at, closed]) {
      await put("satellite/latest/satellite-linux-x64.tar.gz");
      expect((await open("core", { t: key, ...linux })).status).toBeUndefined();
      await clock.advance(61);
    }
    expect((await at.open("core", { t: at.key, ...linux })).status).toBe(302);
    expect((await closed.open("core", { t: closed.key, ...linux })).status).toBeUndefined();
  });

  test("that is nowhere is not found", async () => {
    const at = await setUp();
    const answer = await at.open("core", { t: at.key, ...linux });
    expect(answer).toMatchObject({ status: 404, contentType: "application/json" });
    expect(JSON.parse(Buffer.concat(await Array.fromAsync(answer.body ?? [])).toString())).toEqual({
      code: "satellite",
      description: "File not found: satellite-linux-x64.tar.gz",
    });
    expect(await refusalOf(at.open("core", { t: at.key, os: "linux" }))).toEqual(BAD_URL);
  });
});

describe("get_satellite_releases", () => {
  const list_url = "https://api.example.com/releases";
  const body = JSON.stringify([{ tag_name: "v1.0.40", name: "Forty", published_at: "2026-11-01T00:00:00Z" }]);

  test("offers the latest alone without a list", async () => {
    const at = await setUp();
    expect(await at.api.getSatelliteReleases()).toEqual({ releases: ["latest"] });
    expect(at.client.sent).toEqual([]);
  });

  test("asks once and remembers, under the rules for requests", async () => {
    const at = await setUp(
      { satellite: { list_url }, airgap: { enabled: true, whitelist: ["api.example.com"] } },
      { body },
    );
    const both = await Promise.all([at.api.getSatelliteReleases(), at.api.getSatelliteReleases()]);
    expect(both).toEqual(Array(2).fill({ releases: ["latest", "v1.0.40"] }));
    expect((await at.api.getSatelliteReleases({ verbose: true })).releases).toEqual([
      { version: "latest" },
      { version: "v1.0.40", title: "Forty", published: "2026-11-01T00:00:00Z" },
    ]);
    expect(at.client.sent).toMatchObject([
      { method: "GET", url: list_url, targets: { airGap: { whitelist: ["api.example.com"] } } },
    ]);
    await at.clock.advance(3601);
    await at.api.getSatelliteReleases();
    expect(at.client.sent).toHaveLength(2);
  });

  test("a failure is told without details, and an old list is better than none", async () => {
    const failed = { code: "satellite", description: "Failed to fetch the list of releases." };
    const at = await setUp({ satellite: { list_url } }, { status: 500 }, { body }, new Error("no way to 10.0.0.1"));
    expect(await refusalOf(at.api.getSatelliteReleases())).toEqual(failed);
    expect((await at.api.getSatelliteReleases()).releases).toEqual(["latest", "v1.0.40"]);
    await at.clock.advance(3601);
    expect((await at.api.getSatelliteReleases()).releases).toEqual(["latest", "v1.0.40"]);
  });
});

describe("admin_upgrade_workers", () => {
  async function fleet() {
    const at = await setUp({ satellite: { base_url: "https://example.com" } });
    const servers: ScriptedServer[] = [];
    for (const n of [1, 2, 3])
      servers.push(
        await at.connect({
          id: `s${n}`,
          hostname: `w${n}.example.internal`,
          initial: { groups: [n === 3 ? "db" : "main"] },
        }),
      );
    const told = () => servers.map((server) => commands(server, "upgrade").length);
    return { ...at, servers, told };
  }

  test("tells servers and those of groups one by one, each once", async () => {
    const at = await fleet();
    const input = { targets: ["main", "s1", "s3"], release: "v2", stagger: 10 };
    expect(await at.api.adminUpgradeWorkers(input)).toEqual({
      id: expect.stringMatching(/^i/),
      servers: ["s1", "s2", "s3"],
      stagger: 10,
      release: "v2",
    });
    await at.settle();
    expect(at.told()).toEqual([1, 0, 0]);
    await at.clock.advance(10);
    expect(at.told()).toEqual([1, 1, 0]);
    await at.clock.advance(100);
    expect(at.told()).toEqual([1, 1, 1]);
    expect(commands(at.servers[0] as never, "upgrade")).toEqual([{ cmd: "upgrade", data: {} }]);
    const core = await at.open("core", { t: serverToken("s2"), s: "s2", os: "linux", arch: "arm64" });
    expect(core.headers?.["Location"]).toBe("https://example.com/download/v2/satellite-linux-arm64.tar.gz");
    const { rows } = await at.api.searchActivity({ query: "action:internal_job" } as never);
    expect(rows.map((row) => (row["job"] as { params: object }).params)).toMatchObject([
      { servers: ["s1", "s2", "s3"], release: "v2", stagger: 10 },
    ]);
  });

  test("one round runs at a time", async () => {
    const at = await fleet();
    await at.api.adminUpgradeWorkers({ targets: ["s1", "s2"], stagger: 60 });
    expect(await refusalOf(at.api.adminUpgradeWorkers({ targets: ["s3"] }))).toEqual({
      code: "admin",
      description: "Another maintenance job is already running.",
    });
    await at.clock.advance(61);
    await at.api.adminUpgradeWorkers({ targets: "s3" as never });
    await at.settle();
    expect(at.told()).toEqual([1, 1, 1]);
  });

  test("a server that left in between is passed over", async () => {
    const at = await fleet();
    await at.api.adminUpgradeWorkers({ targets: ["main", "s3"], stagger: 5 });
    at.servers[1]?.close();
    await at.clock.advance(20);
    expect(at.told()).toEqual([1, 0, 1]);
  });

  test("a stop of the engine ends the round", async () => {
    const at = await fleet();
    await at.api.adminUpgradeWorkers({ targets: ["main"], stagger: 3600 });
    await at.clock.advance(0.1);
    await at.signalbox.stop();
    expect(at.told()).toEqual([1, 0, 0]);
  });

  test.each<[Members, { code: string; description: string }]>([
    [{ targets: ["gone"] }, { code: "admin", description: "Server or group not found: gone" }],
    [{ targets: ["s1", "gone"] }, { code: "admin", description: "Server or group not found: gone" }],
    [{}, { code: "api", description: "Missing parameter: targets" }],
    [{ targets: [] }, { code: "api", description: "Malformed parameter: targets" }],
    [
      { targets: ["s1"], release: "a/b" },
      { code: "api", description: "Malformed parameter: release" },
    ],
    [
      { targets: ["s1"], stagger: -1 },
      { code: "api", description: "Malformed parameter: stagger" },
    ],
    [
      { targets: ["s1"], stagger: 3601 },
      { code: "api", description: "Malformed parameter: stagger" },
    ],
  ])("%j is refused", async (input, refusal) => {
    const at = await fleet();
    expect(await refusalOf(at.api.adminUpgradeWorkers(input as never))).toEqual(refusal);
    expect(at.told()).toEqual([0, 0, 0]);
  });

  test("a group without connected servers is refused", async () => {
    const at = await setUp();
    expect(await refusalOf(at.api.adminUpgradeWorkers({ targets: ["main"] }))).toEqual({
      code: "admin",
      description: "None of the servers is connected.",
    });
  });
});
