import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../../test/engine.ts";
import type { SecretVariable } from "../../../directory/secrets/model.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import { commands, launched, startJobs } from "../../../testing/test-jobs.ts";

const VALUE = "planted-value-7f3k";
const done = { state: "complete", complete: true, code: 0 };

/** A vault that opens the secrets of events when its gate opens, and records each request. */
function gatedVault(isAssigned: boolean) {
  const gate = Promise.withResolvers<readonly SecretVariable[]>();
  const asked: string[] = [];
  const plugin = definePlugin({
    id: "test.vault",
    services: {
      vault: () => ({
        assigned: (type) => (isAssigned && type === "events" ? [{} as never] : []),
        variables(type, id) {
          asked.push(`${type}:${id}`);
          return type === "events" ? gate.promise : Promise.resolve([]);
        },
        unassign: async () => undefined,
      }),
    },
  });
  return { plugin, asked, gate };
}

/** An engine whose vault opens the secrets of every event when the test lets it. */
async function setUp({ isAssigned = true } = {}) {
  const log = recordingLogger();
  const { plugin, asked, gate } = gatedVault(isAssigned);
  const jobs = await startJobs({ log, plugins: [plugin] });
  const server = await jobs.connect();
  const { api } = jobs.signalbox;
  const { id } = await api.runEvent({ id: await jobs.event() });
  await jobs.settle();
  return {
    ...jobs,
    api,
    asked,
    id,
    log,
    server,
    read: async () => (await api.getJob({ id })).job,
    async open() {
      gate.resolve([{ name: "TOKEN", value: VALUE, masked: true }]);
      await jobs.settle();
    },
    async fail(error: Error) {
      gate.reject(error);
      await jobs.settle();
    },
  };
}

describe("while the secrets of a job are decrypted", () => {
  test("nothing is sent, and other jobs continue", async () => {
    const at = await setUp();
    expect(launched(at.server)).toEqual([]);
    await at.api.createTag({ id: "nightly", title: "Nightly" });
    await at.open();
    expect(launched(at.server)).toMatchObject([{ job: { id: at.id }, sec: { TOKEN: VALUE } }]);
  });

  test("an abort ends the job without a launch", async () => {
    const at = await setUp();
    await at.api.abortJob({ id: at.id });
    await at.settle();
    await at.open();
    expect(launched(at.server)).toEqual([]);
    expect(await at.read()).toMatchObject({
      code: "abort",
      description: "Manually aborted by user: system",
      final: true,
    });
  });

  test("an abort after the server left ends the job without a launch", async () => {
    const at = await setUp();
    at.server.close();
    await at.settle();
    await at.api.abortJob({ id: at.id });
    await at.settle();
    await at.open();
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
  });

  test("a server that leaves makes the job choose another one and decrypt them again", async () => {
    const at = await setUp();
    const other = await at.connect({ hostname: "web02.example.internal", id: "s2" });
    at.server.close();
    await at.settle();
    await at.open();
    await at.clock.advance(2);
    expect(launched(at.server)).toEqual([]);
    expect(launched(other)).toMatchObject([{ job: { id: at.id }, sec: { TOKEN: VALUE } }]);
    expect(at.asked.filter((asked) => asked.startsWith("events"))).toHaveLength(2);
  });

  test("a job that takes too long is given up and never sent", async () => {
    const at = await setUp();
    await at.clock.advance(130);
    expect(await at.read()).toMatchObject({ code: "abort", final: true });
    await at.open();
    expect(launched(at.server)).toEqual([]);
  });
});

test("a job whose secrets cannot be decrypted runs without them, and the log says so", async () => {
  const at = await setUp();
  await at.fail(new Error("The vault is locked"));
  expect(launched(at.server)).toMatchObject([{ job: { id: at.id }, sec: {} }]);
  expect(at.log.lines.filter(({ level }) => level === "error")).toMatchObject([{ fields: { job: at.id } }]);
  at.server.send("jobs", { [at.id]: done });
  await at.settle();
  expect(await at.read()).toMatchObject({ code: 0, final: true });
});

test("a job without secrets decrypts nothing, from its launch to its end", async () => {
  const at = await setUp({ isAssigned: false });
  expect(launched(at.server)).toMatchObject([{ job: { id: at.id }, sec: {} }]);
  at.server.send("job_log", { id: at.id, text: `${VALUE}\n` });
  at.server.send("jobs", { [at.id]: done });
  await at.settle();
  expect(await at.read()).toMatchObject({ code: 0, output: `${VALUE}\n` });
  expect(at.asked).toEqual([]);
  expect(commands(at.server, "abort_job")).toEqual([]);
});
