import { expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { hot, join } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { serverCollection } from "../../fleet/servers/collection.ts";
import type { Cradle } from "../../kernel/container.ts";
import { possibleSubjects } from "./services/problems/firings.ts";

const start = useFleets();
const DAY = 86_400;

/** Connected servers "web1", "web2" and "cache1"; counts how many of them an alert can be about. */
async function setUp() {
  const probe = cradleProbe();
  const fleet = await start({ config: { alert_universal_actions: [] }, plugins: [probe.plugin] });
  const { api } = fleet.signalbox;
  await api.createGroup({ id: "web", title: "Web", hostname_match: "^host-web" });
  await api.createAlert({ ...hot, groups: ["web"] } as never);
  const servers = await Promise.all(["web1", "web2", "cache1"].map((id) => join(fleet, id)));
  await fleet.settle();
  const cradle: Cradle = probe.cradle();
  const count = () =>
    fleet.storage.read((tx) => {
      const alert = cradle.alerts.definition("hot");
      if (!alert) throw new Error("No alert");
      return possibleSubjects(tx, cradle, alert);
    });
  return { fleet, api, servers, count };
}

const leave = async ({ fleet, servers }: { fleet: Fleet; servers: Awaited<ReturnType<typeof setUp>>["servers"] }) => {
  for (const server of servers.slice(1)) server.close();
  await fleet.settle();
};

test("a server counts while it is here, and for a week after it left", async () => {
  const at = await setUp();
  expect(await at.count()).toBe(2);
  await leave(at);
  expect(await at.count()).toBe(2);
  const before = at.fleet.clock.now() - 8 * DAY;
  // The connected server was last modified before that time, too.
  await at.fleet.storage.write(async (tx) => {
    for (const id of ["web1", "web2"])
      await tx.collection(serverCollection).update(id, (server) => ({ ...server, modified: before }));
  });
  expect(await at.count()).toBe(1);
});

test.each<[string, (api: Fleet["signalbox"]["api"]) => Promise<unknown>]>([
  ["a server that comes and goes", (api) => api.updateServer({ id: "web2", ephemeral: true })],
  ["a server of a group that comes and goes", (api) => api.updateGroup({ id: "web", ephemeral: true })],
  ["a disabled server", (api) => api.updateServer({ id: "web2", enabled: false })],
])("%s does not count when it has left", async (_which, change) => {
  const at = await setUp();
  await change(at.api);
  await leave(at);
  expect(await at.count()).toBe(1);
});
