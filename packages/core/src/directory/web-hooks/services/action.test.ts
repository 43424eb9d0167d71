import { describe, expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../../test/engine.ts";
import { scriptedClient } from "../../../../test/scripted/scripted-client.ts";

async function setUp() {
  const client = scriptedClient({});
  const probe = cradleProbe();
  const engine = await startEngine({ webHooks: client, plugins: [probe.plugin] });
  await engine.api.createWebHook({
    id: "chat",
    title: "Chat",
    url: "https://example.com/",
    method: "POST",
    body: "{{text}}|{{content}}|{{message}}|{{secrets}}",
  });
  const cradle = probe.cradle();
  const type = cradle.registry.actionTypes.get("web_hook");
  if (!type) throw new Error("The action type is missing");
  const run = (action: Record<string, unknown>, data: Record<string, unknown>, side: "job" | "alert" = "job") =>
    type.run(
      { action, timeoutSec: 300, side, data, idempotencyKey: "j1/3", signal: new AbortController().signal },
      cradle,
    );
  return { client, type, run, [Symbol.asyncDispose]: () => engine.stop() };
}

describe("the web_hook action", () => {
  test("supports jobs and alerts and is identified by its hook", async () => {
    await using at = await setUp();
    expect(at.type.applies).toEqual(["job", "alert"]);
    expect(at.type.target({ web_hook: "chat", text: "ignored" })).toBe("chat");
  });

  test("sends the hook text with the action's expanded text, under the key of the action", async () => {
    await using at = await setUp();
    const outcome = await at.run(
      { web_hook: "chat", text: "cc {{who}} {{nobody}}" },
      { text: "Job failed", who: "ops" },
    );
    expect(outcome).toMatchObject({ code: 0, description: "Success (HTTP 200 OK)" });
    const text = "Job failed cc ops n/a";
    expect(at.client.sent[0]).toMatchObject({
      body: `${text}|${text}|${text}|{}`,
      headers: { "X-Idempotency-Key": "j1/3" },
    });
  });

  test("without a text of its own keeps the hook text", async () => {
    await using at = await setUp();
    await at.run({ web_hook: "chat" }, { text: "Job failed" });
    expect(at.client.sent[0]?.body).toBe("Job failed|Job failed|Job failed|{}");
  });

  test.each([
    ["alert", "Too hot call ops"],
    ["job", "Too hot  call ops "],
  ] as const)("sends the text of an action of an %s with its blanks as %j", async (side, text) => {
    await using at = await setUp();
    await at.run({ web_hook: "chat", text: " call ops " }, { text: "Too hot" }, side);
    expect(at.client.sent[0]?.body).toBe(`${text}|${text}|${text}|{}`);
  });

  test("an expanded text is not expanded again", async () => {
    await using at = await setUp();
    await at.run({ web_hook: "chat", text: "{{output}}" }, { text: "Job", output: "{{secrets.TOKEN}}" });
    expect(at.client.sent[0]?.body).toContain("Job {{secrets.TOKEN}}|");
  });

  test("fails if its hook is missing", async () => {
    await using at = await setUp();
    expect(await at.run({ web_hook: "gone" }, {})).toEqual({
      code: "webhook",
      description: "Web Hook not found: gone",
    });
  });
});
