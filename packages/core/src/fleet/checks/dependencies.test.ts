import { expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { hot, join, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const line = { id: "line", title: "Line to the office", type: "tcp", host: "192.0.2.1", port: 443 } as const;

/** Servers s1 and s2; no target of a check can be reached. */
async function setUp() {
  const fleet = await start({
    config: without,
    webHooks: {
      send: async () => Promise.reject(new Error("Not asked here")),
      probe: async () => Promise.reject(Object.assign(new Error("Refused"), { code: "ECONNREFUSED" })),
    },
  });
  const servers = [await join(fleet, "s1"), await join(fleet, "s2")] as const;
  return { fleet, servers, api: fleet.signalbox.api };
}

test("while a check is down, firings that depend on it, directly or through a server, are not reported", async () => {
  const { fleet, servers, api } = await setUp();
  await api.createCheck({ ...line, retries: 0 });
  await api.createAlert(hot as never);
  await api.updateServer({ id: "s1", depends_on: ["check:line"] } as never);
  await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
  for (let gone = 0; gone < 9; gone++) await fleet.clock.advance(10);
  for (const server of servers) await fleet.minute(server, { temp: 60 });
  const { rows } = await api.explainAlert({ alert: "hot" });
  expect(rows.map(({ server }) => server).toSorted()).toEqual(["s1", "s2"]);
  for (const { reason } of rows)
    expect(reason).toContain(
      "Nothing is sent now: Check Is Down on Line to the office is firing, and this depends on it.",
    );
});

test.each<[readonly string[], string]>([
  [["check:nobody"], "Unknown server in depends_on: check:nobody"],
  [["check:"], "Unknown server in depends_on: check:"],
  [["check:line"], "Dependency cycle: s1 -> check:line -> s2 -> s1"],
  [["check:own"], "Dependency cycle: s1 -> check:own -> s1"],
])("a server that depends on %j is refused", async (depends_on, description) => {
  const { api } = await setUp();
  await api.createCheck({ ...line, server: "s2" });
  await api.createCheck({ ...line, id: "own", server: "s1" });
  await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
  expect(await refusalOf(api.updateServer({ id: "s1", depends_on } as never))).toEqual({ code: "server", description });
});

test("a check for a server that depends on it is refused, and a deleted check holds nothing", async () => {
  const { api } = await setUp();
  await api.createCheck(line);
  await api.updateServer({ id: "s1", depends_on: ["check:line"] } as never);
  await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
  expect(await refusalOf(api.updateCheck({ id: "line", server: "s2" }))).toEqual({
    code: "check",
    description: "Dependency cycle: check:line -> s2 -> s1 -> check:line",
  });
  await api.deleteCheck({ id: "line" });
  expect(await refusalOf(api.updateServer({ id: "s2", depends_on: ["check:line"] } as never))).toMatchObject({
    code: "server",
  });
});
