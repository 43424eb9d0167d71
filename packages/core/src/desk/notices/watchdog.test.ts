import { expect, test } from "vitest";
import { cradleProbe, recordingLogger, START } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import type { WebHookRequest } from "../../ports/outside/web-hook-client.ts";
import { healthCollection, noticeCollection } from "./collection.ts";
import { createWatchdog } from "./services/watchdog.ts";

const start = useFleets();
const ADDRESS = "https://dog.example.com/ping/k3y";

/** A watchdog that answers as the test says. */
function dog() {
  const requests: WebHookRequest[] = [];
  const answer = { status: 200, error: undefined as Error | undefined };
  const send = async (request: WebHookRequest) => {
    requests.push(request);
    if (answer.error) throw answer.error;
    return { status: answer.status, statusText: "Said", headers: {}, body: "", elapsedMs: 5 };
  };
  return { requests, answer, webHooks: { send } };
}

/** A watchdog over the store of a real engine. The test calls it in place of the leader. */
async function setUp() {
  const probe = cradleProbe();
  const { storage } = await start({ plugins: [probe.plugin] });
  const { requests, answer, webHooks } = dog();
  const log = recordingLogger();
  const { clock, config, snapshot } = probe.cradle();
  const own = { ...config, notices: { ...config.notices, watchdog_url: ADDRESS } };
  const deps = { clock, config: { ...own, web_hooks: { ...config.web_hooks, allow: ["10.0.0.0/8"] } }, log, snapshot };
  const watchdog = createWatchdog({ ...deps, webHookClient: webHooks });
  let minute = 0;
  /** Plays the leader's calls of some minutes, and answers how many requests arrived. */
  const pass = async (minutes: number, decides = true) => {
    const before = requests.length;
    for (let gone = 0; gone < minutes; gone++) {
      const now = START + 60 * minute++;
      if (decides) decidedAt = now;
      await watchdog.call({ now, decidedAt }, new AbortController().signal);
    }
    return requests.length - before;
  };
  let decidedAt = START;
  const said = () => log.lines.map(({ message, fields }) => [message, fields["reason"]]);
  return { storage, requests, answer, pass, said, log };
}

const pending = (id: string, next: number, receiver = "gone") => ({
  ...{ id, problem: "pg", receiver, route: "rt", seq: 1, kind: "firing" as const, date: START, next },
  ...{ new: [], repeated: [], over: [], still: [], severity: "warning", groups: [], text: "", attempts: 0 },
  outcome: "pending" as const,
});

test("the watchdog is called each minute, under the targets of web hooks and without redirects", async () => {
  const { requests, pass, said } = await setUp();
  expect(await pass(10)).toBe(10);
  expect(requests[0]).toMatchObject({ method: "GET", url: ADDRESS, followRedirects: false, timeoutMs: 10_000 });
  expect(requests[0]?.targets?.allow).toContain("10.0.0.0/8");
  expect(requests[0]?.body).toBeUndefined();
  expect(said()).toEqual([]);
});

test("the leader calls it, and without an address nothing is called", async () => {
  const { requests, webHooks } = dog();
  const fleet = await start({ config: { notices: { watchdog_url: ADDRESS } }, webHooks });
  await expect.poll(() => fleet.clock.advance(60).then(() => requests.length)).toBeGreaterThan(2);
  const other = dog();
  const quiet = await start({ webHooks: other.webHooks });
  await quiet.clock.advance(300);
  expect(other.requests).toEqual([]);
});

test.each(["dog.example.com", "ftp://dog.example.com/", "https://", "https://a b"])("%j is refused", async (url) => {
  await expect(start({ config: { notices: { watchdog_url: url } } })).rejects.toThrow(/watchdog_url/);
});

test("decisions that are five minutes behind stop the calls, which continue once they are up to date", async () => {
  const { pass, said } = await setUp();
  expect(await pass(1)).toBe(1);
  expect(await pass(10, false)).toBe(5);
  expect(said()).toEqual([["The watchdog was not called", "decisions about notices are behind"]]);
  expect(await pass(2)).toBe(2);
  expect(said().at(-1)?.[0]).toBe("The watchdog is called again");
});

test("a delivery that is not attempted for five minutes stops the calls until it is gone", async () => {
  const { storage, pass, said } = await setUp();
  await storage.write((tx) => tx.collection(noticeCollection).insert(pending("no1", START)));
  expect(await pass(10)).toBe(6);
  expect(said()).toEqual([["The watchdog was not called", "deliveries of notices are behind"]]);
  await storage.write((tx) => tx.collection(noticeCollection).delete("no1"));
  expect(await pass(3)).toBe(3);
});

test("an unreachable receiver stops no calls: it is tried in time, and others wait behind", async () => {
  const { storage, pass } = await setUp();
  const late = START + 3600;
  await storage.write(async (tx) => {
    await tx.collection(noticeCollection).insertMany([pending("no1", late, "slow"), pending("no2", START, "dead")]);
    await tx.collection(noticeCollection).insert({ ...pending("no3", START, "slow"), date: START + 1 });
    const health = { state: "dead" as const, since: START, given_up: 3, tried: late };
    await tx.collection(healthCollection).insert({ ...health, id: "dead" });
  });
  expect(await pass(20)).toBe(20);
});

test("the watchdog's answer is logged when it changes, without its address", async () => {
  const { answer, pass, said, log } = await setUp();
  answer.status = 404;
  await pass(3);
  answer.error = new Error(`No route to ${ADDRESS}`);
  await pass(3);
  Object.assign(answer, { error: undefined, status: 200 });
  await pass(2);
  expect(said()).toEqual([
    ["The watchdog was not called", "it answered HTTP 404"],
    ["The watchdog was not called", "No route to its address"],
    ["The watchdog is called again", undefined],
  ]);
  expect(JSON.stringify(log.lines)).not.toContain("k3y");
});
