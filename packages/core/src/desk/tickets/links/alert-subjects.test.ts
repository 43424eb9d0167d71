import { expect, test } from "vitest";
import { cradleProbe, keyWith } from "../../../../test/engine.ts";
import { hot, invocations, without } from "../../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../../test/fleet/fleet.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

const start = useFleets();

test("a ticket of an alert on a heartbeat has its category, also for callers limited to it", async () => {
  const probe = cradleProbe();
  const fleet = await start({ plugins: [probe.plugin], config: { ...without, notices: { presence_grace: 0 } } });
  const { api, as } = fleet.signalbox;
  await api.createCategory({ id: "billing", title: "Billing" });
  await api.createHeartbeat({ id: "copy", title: "Copy", category: "billing", every: 180, grace: 0 });
  await api.createAlert({ id: "fails", title: "Fails", subject: "heartbeat", expression: "beat.failed", message: "m" });
  const { clock, heartbeats, transact } = probe.cradle();
  const call = { kind: "fail", date: clock.now(), ip: "192.0.2.7" } as const;
  await transact(({ tx }) => heartbeats.pings.note({ tx }, "copy", call));
  for (let gone = 0; gone < 18; gone += 1) await fleet.clock.advance(10);
  const [fired] = (await invocations(fleet)).filter(({ alert }) => alert === "fails");
  const limited = as(keyWith(["create_tickets"], { categories: ["billing"] }));
  const asked = { subject: "Copy", type: "issue", template: "alert", alert: fired?.id } as const;
  const { ticket } = await limited.createTicket(asked as never);
  expect(ticket).toMatchObject({ category: "billing", body: expect.stringContaining("- **Heartbeat:** Copy") });
});

test("the text of a ticket leaves out jobs on the server that are out of the caller's reach", async () => {
  const fleet = await startJobs({ config: { tz: "UTC", alert_universal_actions: [] } });
  const { api, as } = fleet.signalbox;
  const server = await fleet.connect();
  for (const id of ["rail", "hidden"]) {
    await api.createCategory({ id, title: id });
    await api.runEvent({ id: await fleet.event({ title: `Run of ${id}`, category: id }) });
  }
  await api.createAlert(hot as never);
  await fleet.clock.advance(61);
  server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp: 90 } });
  await fleet.settle(2);
  const [fired] = await invocations(fleet);
  expect(fired?.jobs).toHaveLength(2);
  const asked = { subject: "Hot", type: "issue", category: "rail", template: "alert", alert: fired?.id } as const;
  const limited = as(keyWith(["create_tickets"], { categories: ["rail"] }));
  const { ticket } = await limited.createTicket(asked as never);
  expect(ticket.body).toContain("[Run of rail]");
  expect(ticket.body).not.toContain("hidden");
  expect((await api.createTicket(asked as never)).ticket.body).toContain("[Run of hidden]");
  await fleet.signalbox.stop();
});
