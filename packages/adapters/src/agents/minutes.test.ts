import { expect, test } from "vitest";
import { captured, useConductors } from "../../test/ws-conductor.ts";

const start = useConductors();
const { data, ...members } = captured("agent-monitor") as { readonly data: { readonly cpu: object } };

test.each([
  ["as agents write it", (date: number) => ({ ...members, date, data })],
  ["with the data first, which have to be serialised again", (date: number) => ({ data, ...members, date })],
])("a captured minute %s is read as sent, with its processor's name and monitors", async (_fact, message) => {
  const { join, api, clock, signalbox } = await start();
  const satellite = await join({ id: "s1" });
  const stored = new Promise((resolve) => signalbox.events.on("server.minute", resolve as never));
  satellite.send("monitor", message(clock.now()));
  await stored;
  const { data: record } = await api.getServer({ id: "s1" } as never);
  const { monitors, deltas, missing, ...sent } = (record as { data: Record<string, unknown> }).data;
  expect(sent).toEqual({ ...data, cpu: { ...data.cpu, combo: "Intel Xeon® Processor" } });
  expect(Object.keys(monitors as object)).toHaveLength(15);
  expect(deltas).toMatchObject({ disk_read_sec: 0 });
  expect(missing).toEqual([]);
});
