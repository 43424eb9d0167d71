import { expect, test } from "vitest";
import { scriptedClient } from "../../../test/scripted/scripted-client.ts";
import { launched, startJobs } from "../../testing/test-jobs.ts";

test("a failed job notifies a channel, which fires its hook and runs its event", async () => {
  const client = scriptedClient({});
  const jobs = await startJobs({ webHooks: client });
  const { api } = jobs.signalbox;
  await api.createWebHook({ id: "chat", title: "C", url: "https://example.com/", method: "POST", body: "{{text}}" });
  await jobs.event({ id: "repair" });
  await api.createChannel({ id: "ops", title: "Ops", web_hook: "chat", run_event: "repair" });
  const server = await jobs.connect();
  const actions = [{ enabled: true, condition: "error", type: "channel", channel_id: "ops" }];
  const { id } = await api.runEvent({ id: await jobs.event({ actions }) });
  await jobs.settle();
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 1, description: "disk full" } });
  await jobs.settle();
  await jobs.settle();
  const { job } = await api.getJob({ id });
  expect(job["actions"]).toMatchObject([{ code: 0, description: "Successfully notified channel: ops" }]);
  expect(client.sent[0]?.body).toContain("Backup failed on");
  expect(launched(server)[1]?.job).toMatchObject({ event: "repair", source: "action" });
  await jobs.signalbox.stop();
});
