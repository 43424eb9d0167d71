import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { fakeClock } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { fetchWebHookClient } from "./fetch-client.ts";

const pem = (part: string) => readFileSync(new URL(`fixtures/self-signed.${part}.pem`, import.meta.url));

/** A real server on this machine, and what it answers. */
async function listen(secure: boolean, answer: RequestListener): Promise<string> {
  const server = secure ? createSecureServer({ cert: pem("cert"), key: pem("key") }, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `${secure ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function setUp(allow: readonly string[] = ["loopback"], now = 1_800_000_000) {
  const clock = fakeClock(now);
  const box = createSignalbox({
    ...{ storage: memoryStorage(), clock, secretKey: "a secret key for tests", webHooks: fetchWebHookClient() },
    config: { web_hooks: { allow: [...allow] } },
  });
  await box.start();
  onTestFinished(() => box.stop());
  const { api } = box;
  const live = async (): Promise<string[]> => {
    const { rows } = await api.searchAlerts({ query: "check:shop active:true", limit: 10 });
    return rows.map(({ alert }) => alert).sort();
  };
  /** A server takes its time, which the clock of the engine knows nothing of. */
  const becomes = async (expected: readonly string[]) => {
    for (let turn = 0; turn < 600 && JSON.stringify(await live()) !== JSON.stringify(expected); turn++) {
      await clock.advance(5);
      await pause(5);
    }
    expect(await live()).toEqual(expected);
  };
  const create = (url: string, members: object = {}) =>
    api.createCheck({ id: "shop", title: "Shop", type: "http", url, ...members });
  return { api, clock, create, becomes };
}

test("an address that fails is told of after its retries, explained, and over when it answers again", async () => {
  let status = 200;
  const url = await listen(false, (_request, response) => response.writeHead(status).end("all fine"));
  const at = await setUp();
  await at.create(url, { contains: "fine" });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: true, status: 200 });
  await at.clock.advance(61);
  await at.becomes([]);
  status = 503;
  await at.becomes(["check_down"]);
  const { rows } = await at.api.explainAlert({ alert: "check_down", check: "shop" });
  const subject = { type: "check", id: "shop", title: "Shop" };
  expect(rows).toMatchObject([{ server: "", subject, state: "live", invocation: { message: "The status is 503." } }]);
  const { down, failures, results } = await at.api.getCheck({ id: "shop" });
  expect([down, failures >= 3, results[0]?.reason]).toEqual([true, true, "status"]);
  expect(JSON.stringify(results)).not.toContain("all fine");
  status = 200;
  await at.becomes([]);
  const tried = { check: "shop", expression: "check.status == 200", message: "{{check.title}}" };
  expect(await at.api.testAlert(tried)).toMatchObject({ result: true, message: "Shop" });
});

test("a certificate that ends soon is told of with its days, and one that nobody vouches for is a failure", async () => {
  const url = await listen(true, (_request, response) => response.end("fine"));
  const ends = Date.parse(new X509Certificate(pem("cert")).validTo) / 1000;
  const at = await setUp(["loopback"], ends - 10 * 86_400 - 1800);
  await at.create(url, { verify: false });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: true, days_left: 10 });
  await at.becomes(["cert_expiring"]);
  await at.api.updateCheck({ id: "shop", verify: true });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: false, reason: "tls" });
});

test("addresses that web hooks may not reach are refused to checks, and nobody asks them", async () => {
  let asked = 0;
  const url = await listen(false, (_request, response) => {
    asked++;
    response.end();
  });
  const at = await setUp([]);
  await at.create(url);
  const { result } = await at.api.testCheck({ id: "shop" });
  expect(result).toMatchObject({ ok: false, reason: "blocked", text: expect.stringContaining("not allowed") });
  expect(asked).toBe(0);
});

test("an answer that drips ends with the timeout, and ten trials a minute are enough", async () => {
  const url = await listen(false, (_request, response) => void response.writeHead(200).write("a"));
  const at = await setUp();
  await at.create(url, { timeout: 1 });
  for (let count = 0; count < 10; count++) {
    const trial = at.api.testCheck({ id: "shop" });
    await pause(20);
    await at.clock.advance(1);
    expect((await trial).result).toMatchObject({ ok: false, reason: "timeout" });
  }
  await expect(at.api.testCheck({ id: "shop" })).rejects.toThrow("Too many trials of checks in a minute.");
});
