import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { BAD_URL, KEY, type Members, serverToken, setUp } from "../../../test/fleet/satellite-setup.ts";

const DAY = 86_400;
const DENIED = { code: "satellite", description: "Access denied." };
describe("get_satellite_token", () => {
  test("answers a token and the address at which agents reach the service", async () => {
    const at = await setUp({ satellite: { image: "registry.example.com/agent", version: "v1.2.3" } });
    expect(await at.adder.getSatelliteToken()).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      base_url: "http://localhost:5522",
      image: "registry.example.com/agent",
      version: "v1.2.3",
    });
  });

  test("uses the configured host if there is one", async () => {
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

  test("the token is valid until it expires, and never logged", async () => {
    const at = await setUp();
    const { token: t } = await at.adder.getSatelliteToken({ expires: 60 });
    await at.clock.advance(59);
    expect((await at.open("config", { t })).contentType).toBe("application/json");
    await at.clock.advance(2);
    expect(await refusalOf(at.open("config", { t }))).toEqual(DENIED);
    expect(JSON.stringify(at.log.lines)).not.toContain(t);
  });

  test("a thousand tokens are kept, and the oldest is dropped first", async () => {
    const at = await setUp();
    const { token: first } = await at.adder.getSatelliteToken();
    await at.clock.advance(1);
    const { token: second } = await at.adder.getSatelliteToken();
    await at.clock.advance(1);
    for (let count = 0; count < 999; count++) await at.adder.getSatelliteToken();
    expect(await refusalOf(at.open("config", { t: first }))).toEqual(DENIED);
    expect((await at.open("config", { t: second })).contentType).toBe("application/json");
  });
});

describe("access to scripts and packages", () => {
  const os = { os: "linux", arch: "x64" };
  const names = ["install", "upgrade", "core", "config"] as const;

  test.each(names)("%s is open to an API key that may add servers, and to a token", async (name) => {
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

  test.each(names)("%s is refused for all other callers", async (name) => {
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

  test("a disconnected server may renew itself for a day", async () => {
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
  test("contain the address that the caller used, and a token in place of an API key", async () => {
    const at = await setUp();
    const text = await at.text("install", { t: at.key }, "https://ops.example.com/tools");
    expect(text.startsWith("#!/bin/sh\n")).toBe(true);
    expect(text).toContain('\nBASE_URL="https://ops.example.com"\nAPI="$BASE_URL/tools/api/app/satellite/v1"\n');
    expect(text).not.toContain(at.key);
    const [, t = ""] = /ACCESS='t=([0-9a-f]{64})'/.exec(text) ?? [];
    expect((await at.open("config", { t })).contentType).toBe("application/json");
  });

  test("for an upgrade name the server and load no configuration", async () => {
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
  ])("never contain %j", async (base) => {
    const at = await setUp();
    const call = at.text("install", { t: at.key }, base);
    const text = await call.catch(() => "");
    expect(text.includes("rm -rf /") || text.includes("$(id)") || text.includes("`id`")).toBe(false);
    if (text === "") expect(await refusalOf(at.text("install", { t: at.key }, base))).toEqual(BAD_URL);
  });

  test.each<Members>([{ s: "a;b" }, { os: "../x" }, { arch: "x 64" }, { groups: "a!" }, { os: "o".repeat(65) }])(
    "%j gives no script",
    async (input) => {
      const at = await setUp();
      expect(await refusalOf(at.text("install", { t: at.key, ...input }))).toEqual(BAD_URL);
    },
  );
});

describe("the configuration of a new agent", () => {
  test("has a new identity each time, which can join", async () => {
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

  test.each([
    [{}, { host: "conductor.internal" }],
    [{ cluster: { host: "node-a.internal" } }, {}],
  ])("with %j contains the fixed host of agents: %j", async (config, host) => {
    const at = await setUp({ satellite: { config: { host: "conductor.internal" } }, ...config });
    const { host: pinned, hosts } = JSON.parse(await at.text("config", { t: at.key }));
    expect([pinned === undefined ? {} : { host: pinned }, hosts]).toEqual([host, ["conductor.internal"]]);
  });

  test("uses the parameters in the address of the script", async () => {
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
