import { expect, test } from "vitest";
import { hot, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };

test("a repetition lists each firing with the message of its last minute", async () => {
  const { mailer, sent } = keepingMailer();
  const fleet = await start({ config, mailer });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createRoute({ title: "All", repeat_interval: 300, steps: [{ after: 0, to: ["ops"] }] } as never);
  const agents = [await join(fleet, "s1"), await join(fleet, "s2")];
  for (let temp = 60; temp < 68; temp++) {
    await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 61);
    for (const [at, agent] of agents.entries()) {
      const stored = fleet.next("server.minute");
      agent.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp: temp + at * 20 } });
      await stored;
    }
    await fleet.settle();
  }
  expect(sent).toHaveLength(2);
  expect(sent[1]?.text).toMatch(/6[67] degrees/);
  expect(sent[1]?.text).toMatch(/8[67] degrees/);
});
