import { expect, test } from "vitest";
import { addPeople, deactivate } from "../../../test/desk/notices/people.ts";
import { cradleProbe } from "../../../test/engine.ts";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com", tz: "UTC" };
/** A server that runs hot ten minutes before the person on duty changes. */
async function setUp() {
  const { mailer, sent } = keepingMailer();
  const probe = cradleProbe();
  const fleet = await start({ config, mailer, plugins: [probe.plugin] });
  const { api } = fleet.signalbox;
  await addPeople(probe.cradle(), ["ann", "bob"]);
  await api.createAlert(hot);
  const change = new Date((fleet.clock.now() + 600) * 1000).toISOString();
  const handover = { at: change.slice(11, 16) };
  const layer = { users: ["ann", "bob"], turn: "day", every: 1, handover, start: change.slice(0, 10) };
  const first = new Date(Date.parse(change) - 86_400_000).toISOString().slice(0, 10);
  await api.createRota({ id: "duty", title: "Duty", timezone: "UTC", layers: [{ ...layer, start: first }] } as never);
  await api.createReceiver({ id: "on_duty", title: "On duty", type: "rota", rota: "duty" });
  const steps = [{ after: 0, to: ["on_duty"] }];
  await api.createRoute({ title: "All", repeat_interval: 0, steps } as never);
  const agent = await join(fleet, "s1");
  const minutes = async (count: number, temp: number) => {
    for (let minute = 0; minute < count; minute++) await hotMinute(fleet, agent, temp);
    await fleet.clock.advance(2);
  };
  const told = () => sent.map(({ to, subject }) => `${to.join(" ")}: ${subject}`);
  return { fleet, api, sent, minutes, told, cradle: probe.cradle() };
}

test("a person who comes on duty is notified of live firings once, and both people of the end", async () => {
  const at = await setUp();
  await at.minutes(1, 60);
  expect(at.told()).toEqual(["ann@example.com: Signalbox: Alert on Web (host-s1): Too hot"]);
  await at.minutes(14, 60);
  expect(at.told().slice(1)).toEqual(["bob@example.com: [warning] Too hot on Web (host-s1)"]);
  const [notice] = (await at.api.searchNotices({ limit: 1 })).rows;
  expect(notice).toMatchObject({ kind: "escalation", hand_over: true, new: [], repeated: [] });
  expect(notice?.text).toMatch(/^Signalbox You are on duty now: Too hot on Web \(host-s1\): 60 degrees/);
  await at.minutes(2, 40);
  expect(at.told().slice(2)).toEqual([
    "bob@example.com ann@example.com: Signalbox: Alert over on Web (host-s1): Too hot",
  ]);
});

test("a person who comes on duty is not notified of acknowledged firings", async () => {
  const at = await setUp();
  await at.minutes(1, 60);
  const [problem] = (await at.api.getProblems({})).rows;
  await at.api.acknowledgeProblem({ id: problem?.id ?? "", comment: "" });
  await at.minutes(14, 60);
  expect(at.told()).toHaveLength(1);
});

test("an inactive person on duty is not waited for: the next step begins at once", async () => {
  const at = await setUp();
  await at.api.createReceiver({ id: "lead", title: "Lead", type: "mail", email: "lead@example.com" });
  const { rows } = await at.api.getRoutes();
  const { id } = rows.find(({ title }) => title === "All") ?? {};
  const steps = [
    { after: 0, to: ["on_duty"] },
    { after: 30, to: ["lead"] },
  ];
  await at.api.updateRoute({ id, steps } as never);
  await deactivate(at.cradle, "ann");
  await at.minutes(1, 60);
  expect(at.told()).toEqual([expect.stringMatching(/^lead@example.com: /)]);
});
