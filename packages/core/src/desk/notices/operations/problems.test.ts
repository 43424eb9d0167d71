import { expect, test } from "vitest";
import { refusalOf } from "../../../../test/engine.ts";
import { type Fleet, limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { invocationCollection } from "../../../fleet/alerts/collection.ts";
import { problemCollection } from "../collection.ts";

const start = useFleets();

/** Open problems p0, p1 …, the last one newest; each has one firing on a server of the given group. */
async function open({ storage }: Fleet, groups: readonly string[]): Promise<void> {
  const firings = groups.map((group, at) => ({
    ...{ id: `a${at}`, alert: "hot", server: `s${at}`, date: at, active: true, modified: 1, tickets: [], exp: "1" },
    ...{ message: "Hot", count: 1, notified: true, groups: [group], jobs: [] },
  }));
  const problems = groups.map((_, at) => {
    const of = { invocation: `a${at}`, alert: "hot", server: `s${at}`, severity: "warning", joined: at };
    return {
      ...{ id: `p${at}`, route: "gone", key: "[]", severity: "warning", opened: at, closed: null, steps: 0, due: null },
      ...{ members: [{ ...of, told: {}, standing: {} }], sides: {} },
    };
  });
  await storage.write(async (tx) => {
    await tx.collection(invocationCollection).insertMany(firings);
    await tx.collection(problemCollection).insertMany(problems);
  });
}

test("a limited caller's pages and count include only the problems within reach", async () => {
  const fleet = await start();
  await open(fleet, ["own", "far", "own", "far", "far", "own"]);
  const limited = fleet.signalbox.as(limitedTo("own"));
  const page = async (offset: number, limit: number) => {
    const { rows, list } = await limited.getProblems({ offset, limit });
    return [rows.map(({ id }) => id), list.length];
  };
  expect(await page(0, 50)).toEqual([["p5", "p2", "p0"], 3]);
  expect(await page(1, 1)).toEqual([["p2"], 3]);
  expect(await page(2, 5)).toEqual([["p0"], 3]);
  expect(await page(3, 5)).toEqual([[], 3]);
  expect((await fleet.signalbox.api.getProblems({})).list.length).toBe(6);
});

test("problems are found behind more than a batch of others", async () => {
  const fleet = await start();
  await open(fleet, ["own", ...Array.from({ length: 450 }, () => "far"), "own"]);
  const { rows, list } = await fleet.signalbox.as(limitedTo("own")).getProblems({ limit: 1, offset: 1 });
  expect([rows.map(({ id }) => id), list.length]).toEqual([["p0"], 2]);
});

test("a problem is acknowledged without the firings that are over or gone by then", async () => {
  const fleet = await start();
  await open(fleet, ["own"]);
  const { storage, signalbox } = fleet;
  const [of] = (await storage.read((tx) => tx.collection(problemCollection).get("p0")))?.members ?? [];
  const [firing] = await storage.read((tx) => tx.collection(invocationCollection).getMany(["a0"]));
  if (!of || !firing) throw new Error("There is no such problem");
  await storage.write(async (tx) => {
    await tx.collection(invocationCollection).insert({ ...firing, id: "ended", active: false, modified: 5 });
    const members = ["a0", "ended", "gone"].map((invocation) => ({ ...of, invocation }));
    await tx.collection(problemCollection).update("p0", (stored) => ({ ...stored, members }));
  });
  await signalbox.api.acknowledgeProblem({ id: "p0", comment: "on it" });
  const { alerts } = await signalbox.api.getAlertInvocations({ ids: ["a0", "ended"] });
  expect(alerts).toMatchObject([{ acknowledged: { comment: "on it" } }, { active: false }]);
  expect(alerts[1]).not.toHaveProperty("acknowledged");
  await storage.write((tx) =>
    tx.collection(invocationCollection).update("a0", (stored) => ({ ...stored, active: false })),
  );
  const again = signalbox.api.acknowledgeProblem({ id: "p0", comment: "" });
  expect((await refusalOf(again)).description).toBe("The problem has ended already: p0");
});
