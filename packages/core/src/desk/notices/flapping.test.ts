import { expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { hot, hotMinute, invocations, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };

async function setUp(alert: object = {}) {
  const { mailer, sent } = keepingMailer();
  const fleet = await start({ config, mailer });
  const { api } = fleet.signalbox;
  await api.createAlert({ ...hot, ...alert });
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createRoute({ id: "all", title: "All", repeat_interval: 0, steps: [{ after: 0, to: ["ops"] }] } as never);
  const agent = await join(fleet, "s1");
  /** Plays one minute of the server, and the notices that follow from it. */
  const minute = async (temp: number) => {
    await hotMinute(fleet, agent, temp);
    await fleet.settle();
    await fleet.clock.advance(5);
  };
  const flap = async (times: number) => {
    for (let count = 0; count < times; count++) for (const temp of [60, 40]) await minute(temp);
  };
  const quiet = async (minutes: number) => {
    for (let count = 0; count < minutes; count++) await minute(40);
  };
  const kinds = async () => {
    const { rows } = await api.searchNotices({ query: "receiver:ops", limit: 100 });
    return rows.map(({ kind, outcome }) => `${kind} ${outcome}`).toReversed();
  };
  return { fleet, api, sent, minute, flap, quiet, kinds };
}

test("an alert that comes and goes is reported once as flapping, explained, and once when it is quiet", async () => {
  const { fleet, api, sent, flap, quiet, kinds } = await setUp();
  await flap(10);
  expect(await kinds()).toEqual(["firing sent", "cleared sent", "flapping sent"]);
  expect(sent.at(-1)?.subject).toBe("[warning] Too hot on Web (host-s1)");
  expect(sent.at(-1)?.text).toContain("Flapping");
  expect(sent.at(-1)?.text).toContain("fired 4 times: 60 degrees");
  const all = (await invocations(fleet)).toSorted((a, b) => a.date - b.date);
  expect(all).toHaveLength(10);
  const { rows } = await api.explainNotice({ invocation: all[8]?.id ?? "", timezone: "UTC" });
  expect(rows.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(
      /^It fired 10 times in 3 hours, so it was told once as flapping at .*; it counts as settled after 1 hour without a change\.$/,
    ),
  ]);
  expect((await api.getProblems({})).rows[0]?.members.at(-1)).toMatchObject({
    ...{ invocation: all[3]?.id, flap: { count: 10, quiet: 3600, latest: all[9]?.id } },
  });
  await quiet(61);
  expect(await kinds()).toEqual(["firing sent", "cleared sent", "flapping sent", "cleared sent"]);
});

test("firings in between are marked, as is the explanation of the alert, until it is quiet", async () => {
  const { fleet, api, flap, quiet } = await setUp({ flap_count: 2, flap_window: 600 });
  await flap(3);
  const marks = async () =>
    (await invocations(fleet)).toSorted((a, b) => a.date - b.date).map(({ flapping }) => flapping);
  expect(await marks()).toEqual([undefined, true, true]);
  const explained = async () => (await api.explainAlert({ alert: hot.id })).rows;
  expect(await explained()).toMatchObject([{ state: "idle", flapping: true }]);
  await quiet(31);
  expect((await explained())[0]?.flapping).toBeUndefined();
  await flap(1);
  expect((await marks()).at(-1)).toBeUndefined();
  await flap(1);
  expect((await marks()).at(-1)).toBe(true);
});

test("a flapping that keeps firing is reported as settled, and an acknowledgement reaches the newest firing", async () => {
  const { fleet, api, minute, flap, kinds } = await setUp({ flap_count: 2, flap_window: 600 });
  await flap(3);
  for (let count = 0; count < 31; count++) await minute(60);
  expect(await kinds()).toEqual(["firing sent", "cleared sent", "flapping sent", "settled sent"]);
  const [problem] = (await api.getProblems({})).rows;
  await api.acknowledgeProblem({ id: problem?.id ?? "" });
  const live = (await invocations(fleet)).filter(({ active }) => active);
  expect(live.map(({ acknowledged }) => acknowledged?.username)).toHaveLength(1);
  expect(live[0]?.acknowledged).toBeDefined();
});

test("an acknowledgement of a flapping applies to its next firings, and no further step begins", async () => {
  const { fleet, api, flap, kinds } = await setUp({ flap_count: 2, flap_window: 600 });
  const steps = ["ops", "ops"].map((to, at) => ({ after: at * 10, to: [to] }));
  await api.updateRoute({ id: "all", steps } as never);
  await flap(4);
  const [problem] = (await api.getProblems({})).rows;
  await api.acknowledgeProblem({ id: problem?.id ?? "" });
  await flap(8);
  expect(await kinds()).toEqual(["firing sent", "cleared sent", "flapping sent"]);
  const [newest] = (await invocations(fleet)).toSorted((a, b) => b.date - a.date);
  expect(newest?.acknowledged).toBeUndefined();
});

test("an alert that may flap is reported each time, and a disabled one flaps no more", async () => {
  const often = await setUp({ flap_count: 0 });
  await often.flap(6);
  expect(await often.kinds()).not.toContain("flapping sent");
  expect(await often.kinds()).toContain("update sent");
  const { api, flap, quiet, kinds } = await setUp();
  await flap(5);
  await api.updateAlert({ id: hot.id, enabled: false });
  await quiet(2);
  expect((await kinds()).at(-1)).toBe("cleared sent");
});

test.each([
  [{ flap_count: 1 }, "Invalid value for flap_count"],
  [{ flap_count: 21 }, "Invalid value for flap_count"],
  [{ flap_count: { toString: 1 } }, "Invalid value for flap_count"],
  [{ flap_window: 599 }, "Invalid value for flap_window"],
  [{ flap_window: 86_401 }, "Invalid value for flap_window"],
])("%j is refused", async (members, description) => {
  const { api } = await setUp();
  expect(await refusalOf(api.updateAlert({ id: hot.id, ...members } as never))).toMatchObject({ description });
});
