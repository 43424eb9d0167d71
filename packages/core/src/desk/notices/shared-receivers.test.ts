import { expect, test } from "vitest";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();

/** Two routes to one receiver; the first continues to the second. */
async function setUp(match: Record<string, unknown> = {}, wait = 15) {
  const { mailer, sent } = keepingMailer();
  const fleet = await start({ config: { alert_universal_actions: [], email_from: "signalbox@example.com" }, mailer });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  const steps = [{ after: 0, to: ["ops"] }];
  await api.createRoute({ id: "first", title: "First", match, continue: true, steps } as never);
  await api.createRoute({ id: "second", title: "Second", continue: true, group_wait: wait, steps } as never);
  const agent = await join(fleet, "s1");
  const minute = async (temp: number) => {
    await hotMinute(fleet, agent, temp);
    await fleet.clock.advance(30);
  };
  return { api, minute, sent };
}

test.each([0, 15])(
  "a firing on two routes to one receiver is reported once, as is its end (%d s apart)",
  async (wait) => {
    const { minute, sent } = await setUp({}, wait);
    await minute(60);
    expect(sent).toHaveLength(1);
    await minute(40);
    expect(sent).toHaveLength(2);
    await minute(40);
    await minute(60);
    expect(sent).toHaveLength(3);
  },
);

test("a firing that got worse is reported by the route that matches it now", async () => {
  const { api, minute, sent } = await setUp({ severities: ["warning"] });
  await api.updateRoute({ id: "second", match: { severities: ["critical"] } });
  await minute(60);
  expect(sent).toHaveLength(1);
  await api.updateAlert({ id: "hot", severity: "critical" });
  await minute(60);
  expect(sent).toHaveLength(2);
});
