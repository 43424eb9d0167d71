import { expect, test } from "vitest";
import { MINUTE, setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();

/** A room that was notified of a firing once; the notice repeats every five minutes. */
async function setUp() {
  const at = await setUpDelivery(start, { status: 200 });
  for (const { id } of (await at.api.getRoutes({})).rows)
    if (id !== "all") await at.api.updateRoute({ id, enabled: false });
  await at.api.updateRoute({
    id: "all",
    repeat_interval: 300,
    group_interval: 300,
    match: { severities: ["critical"] },
  });
  await at.minute(60);
  const { length: before } = at.requests;
  const more = () => at.requests.length - before;
  return { ...at, more };
}

test("a route that no longer matches a firing reports only its end", async () => {
  const at = await setUp();
  await at.api.updateRoute({ id: "all", match: { severities: ["critical"], alerts: ["another"] } });
  await at.stay(20 * MINUTE);
  expect(at.more()).toBe(0);
  const [problem] = (await at.api.getProblems({})).rows;
  expect(problem?.members[0]?.hold).toMatchObject({ kind: "no_route" });
  await at.minute(40);
  await at.fleet.clock.advance(5);
  expect(at.requests.at(-1)?.body).toMatch(/Alert .* cleared on /);
});

test("a firing that became less severe is reported by its present routes", async () => {
  const at = await setUp();
  await at.api.updateAlert({ id: "hot", severity: "warning" });
  await at.stay(20 * MINUTE);
  expect(at.more()).toBe(0);
  await at.api.updateAlert({ id: "hot", severity: "critical" });
  await at.stay(6 * MINUTE);
  expect(at.more()).toBeGreaterThan(0);
});

test("a server that is moved to another group stays with the route of its firing", async () => {
  const at = await setUp();
  await at.api.createGroup({ id: "web", title: "Web", hostname_match: "(?!)" });
  await at.api.updateServer({ id: "s1", groups: ["web"] });
  await at.api.updateRoute({ id: "all", match: { groups: ["web"] } });
  await at.minute(40);
  await at.stay(0);
  await at.fleet.clock.advance(6 * MINUTE);
  await at.minute(60);
  const before = at.requests.length;
  await at.api.updateServer({ id: "s1", groups: [] });
  await at.stay(11 * MINUTE);
  expect(at.requests.length - before).toBe(2);
});
