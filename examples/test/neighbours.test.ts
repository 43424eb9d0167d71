import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "./program.ts";

test("the stand-alone server reaches its neighbours until a list of targets is set", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-neighbours-"));
  let asked = 0;
  const neighbour = createServer((_request, response) => {
    asked += 1;
    response.end("Thanks");
  });
  neighbour.listen(0, "127.0.0.1");
  await once(neighbour, "listening");
  const server = await startServer({ SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SECRET_KEY: "theSecretKeyOfThisTest" });
  onTestFinished(async () => {
    await server.kill("SIGKILL");
    neighbour.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${(neighbour.address() as AddressInfo).port}/`;
  const hook = { id: "near", title: "Near", enabled: true, method: "POST", url, headers: [], body: "{}" };
  expect(await server.call("create_web_hook", hook)).toMatchObject({ code: 0 });
  await server.call("test_web_hook", hook);
  expect(asked).toBe(1);
  expect(await server.call("admin_update_config", { "web_hooks.allow": [] })).toMatchObject({ code: 0 });
  await server.call("test_web_hook", hook);
  expect(asked).toBe(1);
});
