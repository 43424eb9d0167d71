import { expect, test } from "vitest";
import { cradleProbe, keyWith } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import minute from "../../testing/fixtures/agent-monitor.json" with { type: "json" };
import type { UpdateStream } from "./operations.ts";

const start = useFleets();
const limited = keyWith([], { groups: ["web"] });

/** The servers `w1` and `d1` each have an alert, and both have disconnected. */
async function setUp() {
  const probe = cradleProbe();
  const fleet = await start({ plugins: [probe.plugin], config: { presets: false } });
  const { api } = fleet.signalbox;
  for (const [id, hostname_match] of Object.entries({ web: "^w", db: "^d" }))
    await api.createGroup({ id, title: id, hostname_match });
  await api.createAlert({ id: "hot", title: "Hot", expression: "1", message: "m" });
  for (const id of ["w1", "d1"]) {
    const server = await fleet.agent.connect({ hostname: id, id });
    await fleet.minute(server, minute.data);
    server.close();
  }
  await fleet.settle();
  return { ...fleet, facts: probe.cradle().pageFacts };
}

/** Servers of the firings, and the servers that have disconnected. */
const namedIn = ({ activeAlerts, serverCache }: Readonly<Record<string, unknown>>) => ({
  alerts: Object.values(activeAlerts as object).map(({ server }: { server: string }) => server),
  left: Object.keys(serverCache as object),
});

test("a login includes alerts and recently disconnected servers within the caller's reach", async () => {
  const { facts } = await setUp();
  expect(namedIn(await facts.atLogin(limited))).toEqual({ alerts: ["w1"], left: ["w1"] });
  const all = namedIn(await facts.atLogin(keyWith([])));
  expect([all.alerts.toSorted(), all.left.toSorted()]).toEqual([
    ["d1", "w1"],
    ["d1", "w1"],
  ]);
});

test("a client that gets everything again gets them too", async () => {
  const { clock, signalbox } = await setUp();
  const call = { operation: "stream_updates", input: { last_event_id: "unknown" }, actor: limited };
  const { updates } = (await signalbox.execute(call)) as UpdateStream;
  const told = (async () => {
    for await (const { cmd, data } of updates) if (cmd === "update") return data as Record<string, unknown>;
    return {};
  })();
  await clock.advance(1);
  const everything = await told;
  expect(namedIn(everything)).toEqual({ alerts: ["w1"], left: ["w1"] });
  // Everything else that a login sends.
  expect(everything).toMatchObject({
    ...{ users: [{ username: "admin" }], internalJobs: {}, numQueuedJobs: 0, socketNav: {}, sounds: [] },
    stats: { transactions: { alert_create: 1 } },
  });
});
