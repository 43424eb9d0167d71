import { describe, expect, test } from "vitest";
import { startJobs } from "../../testing/test-jobs.ts";

const field = { id: "region", type: "text", title: "Region", value: "eu" };

/** Only the engine sets this member: a sent value is ignored. */
const forged = { params_version: 5 };

async function setUp() {
  const jobs = await startJobs({ codeVersion: "v1.2.3" });
  const { api } = jobs.signalbox;
  await api.createPlugin({ id: "deploy", title: "Deploy", type: "event", command: "/bin/deploy", params: [] });
  const id = await jobs.event({ plugin: "deploy", params: {} });
  const versionOf = async () => (await api.getEvent({ id })).event.params_version ?? 0;
  return { ...jobs, api, id, versionOf };
}

describe("the version of an event's parameters", () => {
  test("changes only with its fields and its plugin, also within one second", async () => {
    const { api, id, versionOf, clock } = await setUp();
    const created = await versionOf();
    expect(created).toBe(Math.floor(clock.now()));
    await api.updateEvent({ id, title: "Other", fields: [], ...forged });
    expect(await versionOf()).toBe(created);
    await api.updateEvent({ id, fields: [field] });
    expect(await versionOf()).toBe(created + 1);
    await api.updateEvent({ id, plugin: "shellplug", params: { script: "true" } });
    expect(await versionOf()).toBe(created + 2);
  });

  test("is the plugin's version for a job, where that is newer", async () => {
    const { api, id, versionOf, clock, settle } = await setUp();
    const paramsOf = async () => {
      const { id: job } = await api.runEvent({ id });
      await settle();
      return (await api.getJob({ id: job })).job;
    };
    expect(await paramsOf()).toMatchObject({ params_version: await versionOf(), code_version: "v1.2.3" });
    await clock.advance(100);
    await api.updatePlugin({ id: "deploy", params: [field], ...forged });
    const { plugin } = await api.getPlugin({ id: "deploy" });
    expect(plugin.params_version).toBe(Math.floor(clock.now()));
    expect(await paramsOf()).toMatchObject({ params_version: plugin.params_version });
    await api.updatePlugin({ id: "deploy", title: "Other" });
    expect((await api.getPlugin({ id: "deploy" })).plugin.params_version).toBe(plugin.params_version);
  });
});
