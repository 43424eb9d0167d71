import { expect, test } from "vitest";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };
const HOUR = 3600;

test("a clock that is set back while a problem waits delays its notice by no more than the wait", async () => {
  const { mailer, sent } = keepingMailer();
  const fleet = await start({ config, mailer });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createRoute({ title: "All", group_wait: 60, steps: [{ after: 0, to: ["ops"] }] } as never);
  await hotMinute(fleet, await join(fleet, "s1"), 60);
  await fleet.clock.advance(20);
  expect(sent).toEqual([]);
  fleet.clock.step(-HOUR);
  await fleet.clock.advance(90);
  expect(sent).toHaveLength(1);
});
