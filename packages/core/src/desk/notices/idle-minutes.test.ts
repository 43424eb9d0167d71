import { expect, test } from "vitest";
import { invocations, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();

test("the explanation of an idle minute gives the readings of the expression, as far as they are stored", async () => {
  const fleet = await start({ config: { tz: "UTC", alert_universal_actions: [] } });
  const { api } = fleet.signalbox;
  const expression = "monitors.load_avg > 5 && memory.total > 0";
  await api.createAlert({ id: "busy", title: "Busy", expression, message: "m" });
  const agent = await join(fleet);
  const dates: number[] = [];
  for (const load of [1.5, 2.5, 9]) {
    await fleet.minute(agent, { load: [load], memory: { total: 1 } });
    dates.push(fleet.clock.now());
  }
  await fleet.settle();
  const ask = async (minute: number | undefined, about: object = { alert: "busy", subject: "s1" }) =>
    (await api.explainNotice({ ...about, ...(minute === undefined ? {} : { minute }) } as never)).readings;
  const total = { path: "memory.total", value: "not kept" };
  expect(await ask(dates[1])).toEqual([{ path: "monitors.load_avg", value: 2.5 }, total]);
  expect(await ask((dates[0] ?? 0) - 3600)).toEqual([{ path: "monitors.load_avg", value: null }, total]);
  expect(await ask(dates[2])).toBeUndefined();
  expect(await ask(undefined)).toBeUndefined();
  const [invocation] = await invocations(fleet);
  expect(await ask(dates[0], { invocation: invocation?.id })).toEqual([
    { path: "monitors.load_avg", value: 1.5 },
    total,
  ]);
  expect(await ask(dates[0], { alert: "server_silent", subject: "s1" })).toEqual([
    { path: "presence.expected", value: "not kept" },
    { path: "presence.silent_sec", value: "not kept" },
  ]);
});
