import { memoryBlobStore } from "@signalbox/core";
import type { Mail } from "@signalbox/core/adapter";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const config = { tz: "UTC", job_universal_actions: { default: [], workflow: [] }, max_emails_per_day: 2 };

/** An engine over a storage, with a mailer that records mails and a server that runs jobs when told to. */
async function open(name: string) {
  const mails: Mail[] = [];
  const { admin, agent, clock } = await openEngine(name, {
    blobs: memoryBlobStore(),
    mailer: { send: async (mail) => void mails.push(mail) },
    config,
  });
  const { post } = admin;
  const server = await agent.connect({ hostname: "s1.example.internal", id: "s1" });
  const job = async (id: string) => (await post("get_job", { id })).body.job;
  return { job, mails, post, server, until: untilOf(clock) };
}

const email = (condition: string) => ({ enabled: true, condition, type: "email", users: [], email: "ops@example.com" });
const eventOf = (members: object) => ({
  ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["s1"], algo: "random" },
  ...{ params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
  ...members,
});

describe.each(ONE_STORAGE)("actions over %s", (name) => {
  test("a job mails at its limit and at its end until the day is full, and its record says so", async () => {
    const at = await open(name);
    const limits = [{ enabled: true, type: "log", amount: 5, email: "ops@example.com" }];
    const actions = [email("success"), { ...email("complete"), email: "b@example.com" }];
    const made = await at.post("create_event", eventOf({ limits, actions }));
    expect(made.status).toBe(200);
    const { id } = (await at.post("run_event", { id: made.body.event.id })).body;
    await at.until(async () => (await at.job(id)).state === "active");
    at.server.send("job_log", { id, text: "more than five bytes\n" });
    at.server.send("jobs", { [id]: { state: "active" } });
    await at.until(async () => at.mails.length === 1);
    await at.until(async () => (await at.job(id)).limits[0].details !== "");
    at.server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
    await at.until(async () => (await at.job(id)).final === true);
    const job = await at.job(id);
    expect(job.limits).toMatchObject([{ code: 0, details: expect.stringContaining("Email sent successfully") }]);
    expect(job.actions.map(({ code }: { code: unknown }) => code).toSorted()).toEqual([0, "email"]);
    expect(JSON.stringify(job.actions)).toContain("Maximum email daily limit has been reached (2/day)");
    expect(at.mails).toHaveLength(2);
    expect(at.mails[1]?.text).toContain("more than five bytes");
  });

  test("lists of limits and actions are refused with the contract's messages", async () => {
    const at = await open(name);
    const refusal = async (members: object) => (await at.post("create_event", eventOf(members))).body.description;
    expect(await refusal({ limits: [{ enabled: true, type: "time", duration: -1 }] })).toBe(
      "Malformed limit entry #1: Invalid time limit (not a number)",
    );
    expect(await refusal({ actions: [{ enabled: true, condition: "success", type: "email", users: [] }] })).toBe(
      "Malformed action entry #1: No email addresses provided.",
    );
    expect(
      await refusal({ actions: [{ enabled: true, condition: "success", type: "plugin", plugin_id: "gone" }] }),
    ).toBe("Malformed action entry #1: Plugin not found: gone");
  });
});
