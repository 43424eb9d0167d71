import { expect, test } from "vitest";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };

/** A server that is hot for one minute, ten minutes before the only digest of the day. */
async function setUp(route: Record<string, unknown>) {
  const { mailer, sent } = keepingMailer();
  const fleet = await start({ config, mailer });
  const { api } = fleet.signalbox;
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  const at = new Date((fleet.clock.now() + 600) * 1000).toISOString().slice(11, 16);
  const steps = [{ after: 0, to: ["ops"] }];
  await api.createRoute({ id: "all", title: "All", digest: { at: [at], timezone: "UTC" }, steps, ...route } as never);
  const agent = await join(fleet, "s1");
  const minutes = async (...temps: number[]) => {
    for (const temp of temps) await hotMinute(fleet, agent, temp);
    await fleet.settle();
  };
  await minutes(60, 40, 40);
  return { fleet, api, sent, minutes };
}
const HOUR = Array.from({ length: 12 }, () => 40);

test("a digest lists each brief firing once as over, where the route says so", async () => {
  const { api, sent, minutes } = await setUp({ tell_brief: true });
  expect((await api.getProblems({})).rows).toHaveLength(1);
  await minutes(...HOUR);
  expect(sent.map(({ subject }) => subject)).toEqual(["[cleared] Too hot on Web (host-s1)"]);
  const [notice, ...others] = (await api.searchNotices({ limit: 10 })).rows;
  expect(others).toEqual([]);
  expect(notice).toMatchObject({ kind: "digest", outcome: "sent", new: [], over: [] });
  expect(notice?.text).toMatch(/^Signalbox Digest: Too hot on Web \(host-s1\) \(over\): /);
  const { reason } = await api.explainNotice({ invocation: notice?.brief?.[0] ?? "", timezone: "UTC" });
  expect(reason).toMatch(/^Its end was told to Ops at \d\d:\d\d\.$/);
  expect((await api.getProblems({})).rows).toEqual([]);
});

test("a digest without content is not sent", async () => {
  const { api, sent, minutes } = await setUp({});
  await minutes(...HOUR);
  expect(sent).toEqual([]);
  expect((await api.getProblems({})).rows).toEqual([]);
});
