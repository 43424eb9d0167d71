import { expect, onTestFinished, test } from "vitest";
import { refusalOf, startEngine } from "../../../../test/engine.ts";

/** Receivers whose channel, web hook and rota were deleted, as far as deleting is allowed. */
async function setUp() {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  const { api } = engine;
  await api.createChannel({ id: "ops", title: "Ops", users: ["admin"] } as never);
  await api.createWebHook({ id: "chat", title: "Chat", url: "https://chat.example.com/", method: "POST" } as never);
  await api.createReceiver({ id: "told", title: "Told", type: "channel", channel: "ops" } as never);
  await api.createReceiver({ id: "called", title: "Called", type: "web_hook", web_hook: "chat" } as never);
  await api.deleteChannel({ id: "ops" });
  await api.deleteWebHook({ id: "chat" });
  return api;
}

test.each(["told", "called"])(
  "the receiver %s with a deleted channel can be disabled, by one member and as a whole",
  async (id) => {
    const api = await setUp();
    const { receiver } = await api.updateReceiver({ id, enabled: false } as never);
    expect(receiver).toMatchObject({ enabled: false });
    const { revision: _old, ...whole } = receiver;
    expect((await api.updateReceiver({ ...whole, title: "Off" } as never)).receiver).toMatchObject({ title: "Off" });
  },
);

test.each([
  ["told", { channel: "none" }, "Channel not found: none"],
  ["called", { web_hook: "none" }, "Web hook not found: none"],
])("the receiver %s may not name another missing channel", async (id, change, description) => {
  const api = await setUp();
  expect(await refusalOf(api.updateReceiver({ id, ...change } as never))).toEqual({ code: "receiver", description });
});
