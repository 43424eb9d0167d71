import { describe, expect, test } from "vitest";
import { scriptedClient } from "../../../test/scripted/scripted-client.ts";
import { type Members, run } from "../../../test/work/jobs/action-setup.ts";
import { startJobs } from "../../testing/test-jobs.ts";

describe("a web hook that a job fires", () => {
  async function fired(hook: Members, update: Members = {}) {
    const client = scriptedClient({});
    const jobs = await startJobs({ webHooks: client });
    const { id } = await jobs.signalbox.api
      .createWebHook({
        title: "Chat",
        url: "https://chat.example.com/",
        method: "POST",
        ...hook,
      } as never)
      .then(({ web_hook }) => web_hook);
    const actions = [{ enabled: true, condition: "complete", type: "web_hook", web_hook: id }];
    const job = await run(jobs, update, { actions });
    return { client, job };
  }

  test("sends how the job ended, under the key of the action", async () => {
    const { client, job } = await fired({ body: "{{text}}" }, { code: 1, description: "No disk" });
    const [sent] = client.sent;
    expect(sent?.body).toBe(
      `Signalbox Backup failed on web01 with code 1: No disk: http://localhost:5522/#Job?id=${job.id}`,
    );
    expect(sent?.headers).toMatchObject({ "X-Idempotency-Key": `${job.id}/0` });
    expect(job["actions"]).toMatchObject([{ code: 0, description: "Success (HTTP 200 OK)" }]);
  });

  test("expands no macro that the job itself sent", async () => {
    const { client } = await fired(
      { body: "{{job.description}}|{{env.PATH}}" },
      { code: 1, description: "{{job.id}}" },
    );
    expect(client.sent[0]?.body).toBe("{{job.id}}|N/A");
  });
});
