import { expect, test } from "vitest";
import { hot, hotMinute, join, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { scriptedClient } from "../../../test/scripted/scripted-client.ts";

const start = useFleets();
const chat = { id: "chat", title: "Chat", url: "http://chat.test/", method: "POST", body: "{{text}}" };
const busy = Array.from({ length: 6 }, () => ({ status: 503 }));

test("the end of a firing that was over before its notice could leave is reported to no one", async () => {
  const webHooks = scriptedClient(...busy, { status: 200 });
  const fleet = await start({ config: without, webHooks });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createAlert({ ...hot, id: "hotter", title: "Far too hot", expression: "temp >= 70" });
  await api.createWebHook(chat as never);
  await api.createReceiver({ id: "room", title: "Room", type: "web_hook", web_hook: "chat" });
  await api.createRoute({ id: "all", title: "All", repeat_interval: 0, steps: [{ after: 0, to: ["room"] }] } as never);
  const agent = await join(fleet, "s1");
  // The notice of the second minute waits behind the notice of the first, which is retried repeatedly.
  for (const temp of [60, 75, 60, 60, 60, 60, 60, 60, 60, 60]) await hotMinute(fleet, agent, temp);
  const { rows } = await api.searchNotices({ query: "receiver:room", limit: 10 });
  expect(rows.map(({ kind, outcome, alerts }) => [kind, outcome, alerts]).toSorted()).toEqual([
    ["cleared", "skipped", ["hotter"]],
    ["firing", "sent", ["hot"]],
    ["firing", "skipped", ["hotter"]],
  ]);
  expect(webHooks.sent.filter(({ body }) => String(body).includes("Far too hot"))).toEqual([]);
});
