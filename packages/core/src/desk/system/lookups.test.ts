import { expect, test } from "vitest";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { launched, startJobs } from "../../testing/test-jobs.ts";

const start = useFleets();

/** Value of an expression over the last minute of the server `s1`, as text. */
async function textOf(fleet: Fleet, source: string): Promise<string> {
  const input = { server: "s1", expression: "false", message: `{{ ${source} }}` };
  return (await fleet.signalbox.api.testAlert(input)).message;
}

test("server() gives title or hostname, also of a recently disconnected server, and otherwise the id", async () => {
  const fleet = await start();
  const titled = await fleet.agent.connect({ hostname: "web01", id: "s1", initial: { title: "Web One" } });
  await fleet.minute(titled, { load: [1] });
  const untitled = await fleet.agent.connect({ hostname: "db01", id: "s2" });
  expect(await textOf(fleet, "server('s1')")).toBe("Web One");
  expect(await textOf(fleet, "server('s2')")).toBe("db01");
  untitled.close();
  await fleet.settle();
  expect(await textOf(fleet, "server('s2')")).toBe("db01");
  expect(await textOf(fleet, "server('s3')")).toBe("s3");
});

test("event() gives the title of an event, and of the event of an active job", async () => {
  const jobs = await startJobs();
  const { api } = jobs.signalbox;
  const server = await jobs.connect();
  server.send("monitor", { version: "1.0", date: jobs.clock.now(), data: { load: [1] } });
  const event = await jobs.event({ title: "Nightly" });
  const { id } = await api.runEvent({ id: event });
  await jobs.settle();
  expect(launched(server)).toHaveLength(1);
  const message = `{{ event('${event}') }}, {{ event('${id}') }}, {{ event('nope') }}.`;
  const answer = await api.testAlert({ server: server.id, expression: "1", message });
  expect(answer).toMatchObject({ result: true, message: "Nightly, Nightly, ." });
});
