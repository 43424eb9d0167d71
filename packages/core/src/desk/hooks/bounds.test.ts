import { afterEach, describe, expect, test } from "vitest";
import { type LogLine, recordingLogger } from "../../../test/engine.ts";
import type { WebHookClient, WebHookRequest } from "../../ports/outside/web-hook-client.ts";
import { startJobs, type TestJobs } from "../../testing/test-jobs.ts";
import type { SystemHook } from "./config.ts";

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

const ANSWER = { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 1 };

/** A client that holds requests to some addresses until the test releases them; otherwise only the signal ends them. */
function heldClient(isHeld: (url: string) => boolean) {
  const open = new Map<() => void, string>();
  const sent: WebHookRequest[] = [];
  const client: WebHookClient = {
    async send(request, signal) {
      sent.push(request);
      if (!isHeld(request.url)) return ANSWER;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal.reason);
      signal.addEventListener("abort", abort);
      open.set(resolve, request.url);
      await promise.finally(() => {
        signal.removeEventListener("abort", abort);
        open.delete(resolve);
      });
      return ANSWER;
    },
  };
  return {
    client,
    sent,
    open: (): number => open.size,
    free(): void {
      for (const resolve of [...open.keys()]) resolve();
    },
  };
}

async function setUp(hooks: Readonly<Record<string, SystemHook>>, isHeld: (url: string) => boolean = () => true) {
  const held = heldClient(isHeld);
  const log = recordingLogger();
  const jobs = await startJobs({ webHooks: held.client, log });
  running.push(jobs);
  const { api } = jobs.signalbox;
  await api.createWebHook({ id: "slow", title: "Slow", url: HANGS, method: "POST", timeout: 3600, retries: 32 });
  await api.adminUpdateConfig({ hooks });
  await jobs.settle();
  const told = (text: string): LogLine[] => log.lines.filter(({ message }) => message.includes(text));
  return { ...jobs, ...held, api, told, createTag: (id: string) => api.createTag({ id, title: id }) };
}

const HANGS = "https://hangs.example.com/";
const LIVES = "https://lives.example.com/";

describe("system hooks that wait for a slow receiver", () => {
  test("run eight at a time at most, and the others start when one ends", async () => {
    const at = await setUp({
      ...{
        tag_create: `${HANGS}1`,
        category_create: `${HANGS}2`,
        role_create: `${HANGS}3`,
        web_hook_create: `${HANGS}4`,
      },
    });
    for (let index = 0; index < 5; index++) {
      const item = { id: `x${index}`, title: "X" };
      await at.api.createTag(item);
      await at.api.createCategory(item);
      await at.api.createRole(item);
      await at.api.createWebHook({ ...item, url: LIVES, method: "GET" });
    }
    await at.clock.advance(5);
    expect(at.open()).toBe(8);
    while (at.sent.length < 20) {
      expect(at.open()).toBeLessThanOrEqual(8);
      at.free();
      await at.clock.advance(4);
    }
    at.free();
    await at.settle();
    expect([at.open(), at.sent.length]).toEqual([0, 20]);
  });

  test("run three at a time at most for one receiver, and do not delay other hooks", async () => {
    const at = await setUp({ tag_create: HANGS, tag_delete: LIVES }, (url) => url === HANGS);
    for (let index = 0; index < 10; index++) await at.createTag(`t${index}`);
    await at.clock.advance(5);
    expect(at.open()).toBe(3);
    await at.api.deleteTag({ id: "t0" });
    await at.settle();
    expect(at.sent.at(-1)?.url).toBe(LIVES);
  });

  test("are skipped after an hour without a free place", async () => {
    const at = await setUp({ tag_create: HANGS, tag_delete: HANGS });
    for (let index = 0; index < 100; index++) await at.createTag(`t${index}`);
    await at.clock.advance(1);
    expect(at.open()).toBe(3);
    for (let minute = 0; minute < 62; minute++) await at.clock.advance(60);
    // Three at a time, each of which takes the five minutes of an action's timeout.
    expect(at.sent.length).toBeLessThan(45);
    expect(at.told("there was no room for it within an hour").length).toBe(100 - at.sent.length);
    for (let minute = 0; minute < 20; minute++) await at.clock.advance(60);
    expect(at.open()).toBe(0);
  });
});

describe("a system hook that is never answered", () => {
  test("ends after the time limit of an action when it fires a web hook with 33 retries of an hour each", async () => {
    const at = await setUp({ tag_create: "slow" });
    await at.createTag("t1");
    await at.clock.advance(290);
    expect(at.open()).toBe(1);
    await at.clock.advance(10);
    expect([at.open(), at.sent.length]).toEqual([0, 1]);
    expect(at.told("A system hook failed")).toHaveLength(1);
    const { rows } = await at.api.getWebHookDeliveries({});
    expect(rows).toMatchObject([{ web_hook: "slow", description: expect.stringContaining("took longer than") }]);
  });

  test("ends after the time limit of an action when the address sends a byte now and then", async () => {
    const at = await setUp({ tag_create: HANGS });
    await at.createTag("t1");
    await at.clock.advance(299);
    expect(at.open()).toBe(1);
    await at.clock.advance(1);
    expect(at.open()).toBe(0);
    expect(at.told("A system hook failed")).toHaveLength(1);
  });

  test("ends with the engine", async () => {
    const at = await setUp({ tag_create: "slow", tag_delete: HANGS });
    await at.createTag("t1");
    await at.api.deleteTag({ id: "t1" });
    await at.settle();
    expect(at.open()).toBe(2);
    await at.signalbox.stop();
    expect(at.open()).toBe(0);
  });
});
