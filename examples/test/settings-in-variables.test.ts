import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readEnvironment } from "../lib/environment.ts";
import { ADMIN_KEY, type RunningServer, startServer } from "./program.ts";

const SIGNALBOX_SECRET_KEY = "theSecretKeyOfThisTest";
let dataDir: string;
let server: RunningServer | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-settings-"));
});
afterEach(async () => {
  await server?.kill("SIGKILL");
  server = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const configOf = async (variables: Readonly<Record<string, string>>) =>
  (await readEnvironment({ SIGNALBOX_SECRET_KEY, ...variables })).config;

test("settings in variables override the configuration, and ours override the variables of xyOps", async () => {
  const config = await configOf({
    SIGNALBOX_CONFIG: JSON.stringify({ email_from: "file@example.com", client: { name: "File", company: "Acme" } }),
    ...{ XYOPS_client__name: "Theirs", XYOPS_tz: "Europe/Berlin", XYOPS_max_jobs_per_min: "7" },
    ...{ SIGNALBOX_client__name: "Ours", SIGNALBOX_airgap__enabled: "true", SIGNALBOX_checks__allow: '["private"]' },
    SIGNALBOX_notices__fallback: "",
  });
  expect(config).toMatchObject({
    ...{ email_from: "file@example.com", client: { name: "Ours", company: "Acme" }, tz: "Europe/Berlin" },
    ...{ max_jobs_per_min: 7, airgap: { enabled: true }, checks: { allow: ["private"] } },
  });
  expect(config).not.toHaveProperty("notices");
});

test("variables in capitals of other programs are no settings, and neither is an emergency password", async () => {
  const { config, recovery, unread } = await readEnvironment({
    ...{ SIGNALBOX_SECRET_KEY, XYOPS: "1", XYOPS_BASE_URL: "http://127.0.0.1", SIGNALBOX_STORGE: "memory:" },
    ...{ SIGNALBOX_tz: "UTC", XYOPS_recover_admin: "ann:hiddenPassword" },
  });
  expect(Object.keys(config).toSorted()).toEqual(["base_app_url", "tz", "web_hooks"]);
  expect([unread, recovery]).toEqual([["SIGNALBOX_STORGE"], { username: "ann", password: "hiddenPassword" }]);
});

test.each(["hiddenPassword", "ann:", ":hiddenPassword", "../etc:hiddenPassword"])(
  "%j is no administrator to recover",
  async (text) => {
    const variables = { SIGNALBOX_SECRET_KEY, SIGNALBOX_recover_admin: text, XYOPS_recover_admin: "ann:other" };
    await expect(readEnvironment(variables)).rejects.toThrow(
      new Error("SIGNALBOX_recover_admin must be a name, a colon and a password"),
    );
  },
);

test("a start with recover_admin creates an administrator, and the next one with it changes nothing", async () => {
  const env = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY, XYOPS_recover_admin: "ann:hidden:Password" };
  server = await startServer(env);
  const { url } = server;
  const response = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "ann", password: "hidden:Password" }),
  });
  const login = (await response.json()) as Record<string, unknown>;
  expect(login).toMatchObject({ code: 0, user: { privileges: { admin: true } } });
  await server.kill("SIGTERM");
  expect(server.stdout()).toContain("Take the variable away");

  server = await startServer(env);
  const query = { query: "action:warning", limit: 10 };
  expect(await server.call("search_activity", query)).toMatchObject({ list: { length: 1 } });
  expect(server.stdout() + server.stderr()).not.toContain("hidden:Password");
  if (process.platform === "linux")
    expect(await readFile(`/proc/${server.pid}/environ`, "utf8")).not.toContain("hidden:Password");
});

test("the secret key may be the setting of a moved installation", async () => {
  const { secretKeys, config } = await readEnvironment({ XYOPS_secret_key: "theKeyOfTheFormerSystem" });
  expect(secretKeys).toEqual(["theKeyOfTheFormerSystem"]);
  expect(config).not.toHaveProperty("secret_key");
});

test.each([
  ["SIGNALBOX_max_jobs_per_min", "hiddenPassword", ": Invalid input: expected number, received string"],
  ["XYOPS___proto____x", "1", " names no setting"],
  ["SIGNALBOX_client____name", "x", " names no setting"],
])("%s is refused by its name, without its value", async (name, value, sentence) => {
  await expect(configOf({ [name]: value })).rejects.toThrow(new Error(`${name}${sentence}`));
});

test("a running server has settings of variables, and its jobs do not see them", async () => {
  server = await startServer({
    ...{ SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY },
    ...{ SIGNALBOX_client__name: "Ledgerly", XYOPS_mail_settings__auth__pass: "hiddenPassword" },
  });
  const answer = await fetch(`${server.url}/api/app/admin_get_config/v1`, { headers: { "x-api-key": ADMIN_KEY } });
  expect(await answer.json()).toMatchObject({ config: { client: { name: "Ledgerly" } } });
  if (process.platform === "linux") {
    const environment = await readFile(`/proc/${server.pid}/environ`, "utf8");
    expect(environment).not.toMatch(/hiddenPassword|Ledgerly/);
  }
});
