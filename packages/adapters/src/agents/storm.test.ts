import { createSignalbox, memoryStorage } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { type SocketSatellite, socketSatellite } from "@signalbox/core/testing";
import { expect, test } from "vitest";
import { captured, SECRET_KEY } from "../../test/ws-conductor.ts";
import { wsAgents } from "./index.ts";

const SATELLITES = 300;
/** Microseconds of processor time, including that of the satellites. */
const BUDGET_US = 10_000_000;

async function open(storage: Storage) {
  const agents = wsAgents();
  const signalbox = createSignalbox({ storage, agents, secretKey: SECRET_KEY });
  await signalbox.start();
  const { port } = await agents.listen({ port: 0, host: "127.0.0.1" });
  return { signalbox, port };
}

const comeBack = (port: number): Promise<SocketSatellite[]> =>
  Promise.all(
    Array.from({ length: SATELLITES }, (_, index) =>
      socketSatellite({
        ...{ url: `ws://127.0.0.1:${port}/`, hostname: `web${index}`, id: `s${index}` },
        ...{ join: { serverKey: SECRET_KEY }, info: captured("agent-hello")["info"] as Record<string, unknown> },
      }),
    ),
  );

test("a whole fleet that reconnects at once after a restart is welcomed, and no first sample is lost", async () => {
  const storage = memoryStorage();
  const sample = captured("agent-monitor");
  const before = await open(storage);
  const first = await comeBack(before.port);
  await before.signalbox.stop();
  await Promise.all(first.map(({ closed }) => closed));

  const after = await open(storage);
  const sampled = new Set<string>();
  const { promise: all, resolve } = Promise.withResolvers<void>();
  after.signalbox.events.on("server.minute", ({ id }) => {
    sampled.add(id);
    if (sampled.size === SATELLITES) resolve();
  });
  const usage = process.cpuUsage();
  const fleet = await comeBack(after.port);
  const { user, system } = process.cpuUsage(usage);
  expect(user + system).toBeLessThan(BUDGET_US);
  for (const satellite of fleet) satellite.send("monitor", { ...sample, date: Date.now() / 1000 });
  await all;
  const { list } = await after.signalbox.api.getActiveServers();
  expect(list.length).toBe(SATELLITES);
  // Agents that joined early learn within a second that the number grew by more than a tenth.
  const told = (): number =>
    fleet[0]?.received.flatMap(({ data }) => (data as { numServers?: number }).numServers ?? []).at(-1) ?? 0;
  await expect.poll(told).toBeGreaterThan(SATELLITES / 1.11);
  await after.signalbox.stop();
});
