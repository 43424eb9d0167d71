import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketSatellite } from "@signalbox/core/testing";
import { expect, test } from "vitest";
import { startServer } from "./program.ts";

const SECRET = "theSecretKeyOfThisTest";
const captured = async (name: string): Promise<Record<string, unknown>> =>
  JSON.parse(
    await readFile(new URL(`../../packages/core/src/testing/fixtures/${name}.json`, import.meta.url), "utf8"),
  ) as Record<string, unknown>;

test("the stand-alone server accepts satellites at the root of its port and shows their data", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-satellites-"));
  const server = await startServer({
    ...{ SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET, SIGNALBOX_SATELLITE_HOST: "ops.example.com" },
  });
  try {
    const { info } = await captured("agent-hello");
    const satellite = await socketSatellite({
      ...{ url: server.url.replace("http:", "ws:"), hostname: "web01.example.internal" },
      ...{ info: info as Record<string, unknown>, join: { clusterKey: SECRET } },
    });
    expect((await satellite.message("joined")).data).toMatchObject({ masterData: { masters: ["ops.example.com"] } });
    satellite.send("monitor", { ...(await captured("agent-monitor")), date: Date.now() / 1000 });
    // The server answers in order: once the echo is here, it has processed the minute before it.
    await satellite.next("echo");
    const { rows } = await server.call("get_active_servers");
    expect(rows).toContainEqual(expect.objectContaining({ id: satellite.id, hostname: "web01.example.internal" }));
    const latest = await server.call("get_latest_monitor_data", { server: satellite.id, sys: "hourly", limit: 1 });
    expect(latest).toMatchObject({ code: 0, rows: [{ count: 1 }], data: { hostname: "web01.example.internal" } });
    expect(await server.kill("SIGTERM")).toBe(0);
    expect(await satellite.closed).toMatchObject({ code: 1001 });
  } finally {
    await server.kill("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("the address of a satellite is taken from the presently configured proxies", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-satellites-"));
  const server = await startServer({ SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: SECRET });
  const addressOf = async (hostname: string): Promise<unknown> => {
    const satellite = await socketSatellite({
      ...{ url: server.url.replace("http:", "ws:"), hostname, join: { clusterKey: SECRET } },
      headers: { "X-Forwarded-For": "198.51.100.7" },
    });
    const { rows } = await server.call("get_active_servers");
    satellite.close();
    return (rows as { id: string; ip: string }[]).find(({ id }) => id === satellite.id)?.ip;
  };
  try {
    expect(await addressOf("web01.example.internal")).toBe("198.51.100.7");
    expect(await server.call("admin_update_config", { "api.trusted_proxies": ["192.0.2.1"] })).toMatchObject({
      code: 0,
    });
    expect(await addressOf("web02.example.internal")).toBe("127.0.0.1");
  } finally {
    await server.kill("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
});
