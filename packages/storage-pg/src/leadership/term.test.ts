import { expect, test } from "vitest";
import { useDatabase } from "../../test/fixtures.ts";
import { createConnections } from "../sessions/connections.ts";
import type { Candidate } from "./candidate.ts";
import { openDesk } from "./desk.ts";
import { createFences } from "./fences.ts";
import { createLeases } from "./lease.ts";
import { serveTerm } from "./term.ts";

const { database, openStorage, closeLater } = useDatabase();

test("an office whose term ends while its lock is requested is returned, and no one holds it", async () => {
  await openStorage();
  const { connectionString } = database;
  const connections = createConnections({ connectionString, log: console });
  closeLater(() => connections.end());
  const withdrawing = new AbortController();
  const holders: string[] = [];
  const leases = createLeases("signalbox");
  const candidate: Candidate = {
    connections,
    carrier: { polls: false },
    schema: "signalbox",
    nodeId: "n1",
    leases,
    fences: createFences(leases),
    log: console,
    tell: async () => undefined,
    office: "leader",
    formerly: [],
    hold: async () => void holders.push("n1"),
    see: () => undefined,
    withdrawn: withdrawing.signal,
  };
  await using desk = await openDesk(candidate);
  const term = await leases.take(desk.run, { office: "leader", node: "n1" });
  const slow = { ...desk, lock: (offices: readonly string[]) => desk.lock(offices).finally(() => withdrawing.abort()) };
  await serveTerm(candidate, slow, Number(term));
  expect(holders).toEqual([]);
  expect(await leases.look(desk.run, "leader")).toMatchObject({ isOver: true });
});
