import { describe, expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../../test/engine.ts";
import { type Step, scriptedClient } from "../../../../test/scripted/scripted-client.ts";
import type { SignalboxEvents } from "../../../kernel/plugins/events.ts";
import type { Mail, Mailer } from "../../../ports/outside/mailer.ts";
import type { CreateChannel } from "../model.ts";
import { channelAction } from "./action.ts";

interface Setup {
  readonly channel?: Partial<CreateChannel>;
  readonly mailer?: Mailer;
  readonly steps?: readonly Step[];
}

/** Collects the mails that are sent. */
function keepingMailer() {
  const sent: Mail[] = [];
  const mailer: Mailer = { send: async (mail) => void sent.push(mail) };
  return { mailer, sent };
}

async function setUp({ channel = {}, mailer, steps = [{}] }: Setup = {}) {
  const client = scriptedClient(...steps);
  const probe = cradleProbe();
  const engine = await startEngine({ webHooks: client, plugins: [probe.plugin], ...(mailer ? { mailer } : {}) });
  const { api } = engine;
  const hook = { title: "Chat", url: "https://example.com/", method: "POST", body: "{{text}}" };
  await api.createWebHook({ id: "chat", ...hook });
  await api.createChannel({ id: "ops", title: "Ops", ...channel });
  const notified: SignalboxEvents["channel.notified"][] = [];
  engine.events.on("channel.notified", (payload) => void notified.push(payload));
  const fire = (id = "ops", data: Record<string, unknown> = {}) =>
    channelAction.run(
      {
        action: { enabled: true, condition: "error", type: "channel", channel_id: id },
        timeoutSec: 300,
        side: "job",
        data: {
          text: "Signalbox Backup failed: https://ops.example/#Job?id=j1",
          job: { id: "j1", complete: true, code: 1 },
          event: { title: "Backup" },
          ...data,
        },
        idempotencyKey: "j1/2",
        signal: new AbortController().signal,
      },
      probe.cradle(),
    );
  return { api, client, engine, fire, notified, [Symbol.asyncDispose]: () => engine.stop() };
}

const refused = (description: string) => ({ code: "channel", description });

describe("a channel", () => {
  test("a missing, disabled or used up channel is a failed action", async () => {
    await using at = await setUp({ channel: { max_per_day: 2 } });
    expect(await at.fire("gone")).toEqual(refused("Notification Channel not found: gone"));
    await at.fire();
    await at.fire();
    expect(await at.fire()).toEqual(refused("Notification Channel has reached maximum daily limit: ops (2/day)"));
    await at.api.updateChannel({ id: "ops", enabled: 0, max_per_day: 0 });
    expect(await at.fire()).toEqual(refused("Notification Channel is disabled: ops"));
  });

  test("notifies its existing, active users", async () => {
    await using at = await setUp({ channel: { users: ["admin", "nobody", "ADMIN"], sound: "gong.mp3" } });
    expect(await at.fire()).toMatchObject({ code: 0, description: "Successfully notified channel: ops" });
    expect(at.notified).toEqual([
      { id: "ops", users: ["admin"], message: "Backup failed", sound: "gong.mp3", loc: "#Job?id=j1" },
    ]);
  });

  test("sends one mail to users and addresses, the same with every retry", async () => {
    const { mailer, sent } = keepingMailer();
    await using at = await setUp({
      mailer,
      channel: { users: ["admin"], email: "ops@example.com, ops@example.com, b@example.com" },
    });
    await at.api.userAdminUpdate({ username: "admin", email: "boss@example.com" });
    sent.length = 0;
    const { details } = await at.fire();
    await at.fire();
    expect(sent[0]).toMatchObject({
      from: "admin@localhost",
      to: ["boss@example.com", "ops@example.com", "b@example.com"],
      subject: "Signalbox: Backup failed",
      messageId: expect.stringMatching(/^<[0-9a-f]{40}@localhost>$/),
    });
    expect(JSON.stringify(sent[1])).toBe(JSON.stringify(sent[0]));
    expect(details).toContain(
      "### Email\n\nEmail sent successfully to: boss@example.com, ops@example.com, b@example.com",
    );
  });

  test("reports when the host has no mailer", async () => {
    await using at = await setUp({ channel: { email: "ops@example.com" } });
    expect(await at.fire()).toMatchObject({
      code: 0,
      details: "### Email\n\nNo mail was sent: the host gave no mailer.",
    });
  });

  test("fires its web hook under a key of its own, which counts for both", async () => {
    await using at = await setUp({ channel: { web_hook: "chat" } });
    await at.api.updateWebHook({ id: "chat", max_per_day: 1 });
    const { details } = await at.fire();
    expect(at.client.sent[0]).toMatchObject({
      body: "Signalbox Backup failed: https://ops.example/#Job?id=j1",
      headers: { "X-Idempotency-Key": "j1/2/web_hook" },
    });
    expect(details).toContain("### Web Hook\n\nSuccess (HTTP 200 OK)");
    expect(await at.fire()).toMatchObject({
      code: "webhook",
      description: "Web Hook has reached maximum daily limit: chat (1/day)",
    });
  });

  test("reports the first failure in the order mail, hook, event, and runs the other parts", async () => {
    const mailer: Mailer = {
      send: async () => {
        throw new Error("The mail server is away");
      },
    };
    await using at = await setUp({
      mailer,
      steps: [{ status: 404, statusText: "Not Found" }],
      channel: { users: ["admin"], email: "ops@example.com", web_hook: "chat", run_event: "gone" },
    });
    const outcome = await at.fire();
    expect(outcome).toMatchObject({
      code: "email",
      description: "Failed to send e-mail: admin@localhost, ops@example.com: The mail server is away",
    });
    expect(outcome.details?.match(/^### .*$/gm)).toEqual(["### Email", "### Web Hook", "### Event"]);
    expect(outcome.details).toContain("Error: HTTP 404 Not Found");
    expect(outcome.details).toContain("Event not found: gone");
    expect(at.notified).toHaveLength(1);
    await at.api.updateChannel({ id: "ops", email: "", users: [] });
    expect(await at.fire()).toMatchObject({ code: "webhook" });
    await at.api.updateChannel({ id: "ops", web_hook: "" });
    expect(await at.fire()).toMatchObject({ code: "event", description: "Event not found: gone" });
  });

  test("shows a sound of none as null and an alert at its own page", async () => {
    await using at = await setUp({ channel: { users: ["admin"] } });
    const probe = at.fire("ops");
    await probe;
    expect(at.notified[0]).toMatchObject({ sound: null });
    expect(channelAction.applies).toEqual(["job", "alert"]);
    expect(channelAction.target({ channel_id: "ops" })).toBe("ops");
  });
});
