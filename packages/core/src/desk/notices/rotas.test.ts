import { describe, expect, test } from "vitest";
import { addPeople, deactivate } from "../../../test/desk/notices/people.ts";
import { cradleProbe, keyWith, refusalOf, startEngine } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { rotaCollection } from "./collection.ts";

const week = {
  users: ["ann", "bob"],
  turn: "week",
  every: 1,
  handover: { weekday: 1, at: "09:00" },
  start: "2026-01-05",
};
const members = { title: "Ops", timezone: "Europe/Berlin", layers: [week] };

async function setUp() {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  await addPeople(probe.cradle(), ["ann", "bob"]);
  await engine.api.createRota({ id: "ops", ...members } as never);
  return { ...engine, cradle: probe.cradle(), [Symbol.asyncDispose]: () => engine.stop() };
}

test("a rota says who is on duty, who is next, the shifts and the gaps", async () => {
  await using at = await setUp();
  const [from, to] = [Date.parse("2026-01-05T08:00Z") / 1000, Date.parse("2026-01-19T08:00Z") / 1000];
  const { shifts, gaps, next } = await at.api.getRota({ id: "ops", from, to });
  expect(shifts.map(({ user }) => user)).toEqual(["ann", "bob"]);
  expect(gaps).toEqual([]);
  expect(next?.user).toMatch(/ann|bob/);
  expect(await refusalOf(at.api.getRota({ id: "ops", from, to: from + 93 * 86_400 }))).toMatchObject({ code: "rota" });
  for (const begin of [1e15, -1])
    expect(await refusalOf(at.api.getRota({ id: "ops", from: begin, to: begin + 60 }))).toMatchObject({ code: "rota" });
});

test("an inactive or unknown user is treated as no one, and not replaced by the next one", async () => {
  await using at = await setUp();
  const [from, to] = [Date.parse("2027-01-04T08:00Z") / 1000, Date.parse("2027-01-25T08:00Z") / 1000];
  const seen = async () => {
    const { on_duty, next, shifts, gaps } = await at.api.getRota({ id: "ops", from, to });
    return { on_duty, next: next?.user, users: shifts.map(({ user }) => user), gaps: gaps.length };
  };
  expect(await seen()).toEqual({ on_duty: "bob", next: "ann", users: ["ann", "bob", "ann"], gaps: 0 });
  await deactivate(at.cradle, "bob");
  expect(await seen()).toEqual({ on_duty: null, next: "ann", users: ["ann", undefined, "ann"], gaps: 3 });
  await at.api.addRotaOverride({ id: "ops", override: { start: from + 14 * 86_400, end: to, user: "zoe" } });
  expect(await seen()).toMatchObject({ on_duty: null, users: ["ann", undefined] });
});

describe("overrides", () => {
  const mine = { start: 1000, end: 2000, user: "ktest" };
  test("let people put themselves on duty, and managers put anyone on duty", async () => {
    await using at = await setUp();
    const own = at.as(keyWith(["acknowledge_alerts"]));
    const { override, rota } = await own.addRotaOverride({ id: "ops", override: mine });
    expect(rota.overrides).toMatchObject([{ id: override, user: "ktest" }]);
    expect(await refusalOf(own.addRotaOverride({ id: "ops", override: { ...mine, user: "bob" } }))).toMatchObject({
      code: "access",
      description: "You do not have the 'Manage Routes' privilege required to perform this action.",
    });
    await at.api.addRotaOverride({ id: "ops", override: { ...mine, user: "bob" } });
    expect((await own.removeRotaOverride({ id: "ops", override })).rota.overrides).toMatchObject([{ user: "bob" }]);
  });

  test("let managers of routes work without any other privilege", async () => {
    await using at = await setUp();
    const manager = at.as(keyWith(["manage_routes"]));
    const { override } = await manager.addRotaOverride({ id: "ops", override: { ...mine, user: "bob" } });
    expect((await manager.removeRotaOverride({ id: "ops", override })).rota.overrides).toEqual([]);
    const other = at.as(keyWith(["edit_alerts"])).addRotaOverride({ id: "ops", override: mine });
    expect(await refusalOf(other)).toMatchObject({ code: "access" });
  });

  test("a rota is created and changed with its overrides, each of which gets an id", async () => {
    await using at = await setUp();
    const { rota } = await at.api.createRota({ id: "nights", ...members, overrides: [mine] } as never);
    const [first] = rota.overrides ?? [];
    expect(rota.overrides).toEqual([{ ...mine, id: expect.stringMatching(/^ov\w+$/) }]);
    const second = { ...mine, id: "second", instead_of: "ann", note: "Holidays" };
    await at.api.updateRota({ id: "nights", overrides: [first, second] } as never);
    expect((await at.api.getRota({ id: "nights" })).rota.overrides).toEqual([first, second]);
  });

  test.each([
    { start: 5, end: 5, user: "ann" },
    { start: 1, end: 2, user: "a b" },
  ])("%j is refused", async (override) => {
    await using at = await setUp();
    expect(await refusalOf(at.api.addRotaOverride({ id: "ops", override }))).toEqual({
      code: "rota",
      description: "Invalid value for override",
    });
  });
});

const unchanged = shared(setUp);
test.each<[Record<string, unknown>, string]>([
  [{ timezone: "Mars/Olympus" }, "Unknown time zone: Mars/Olympus"],
  [{ layers: [] }, "Invalid value for layers"],
  [{ layers: [{ ...week, users: [] }] }, "Invalid value for layers"],
  [{ layers: [{ ...week, every: 13 }] }, "Invalid value for layers"],
  [{ layers: [{ ...week, start: "2026-02-30" }] }, "Invalid value for layers"],
  [{ layers: [{ ...week, start: "2026-01-06" }] }, "Invalid value for layers"],
  [{ layers: [{ ...week, handover: { at: "24:00" } }] }, "Invalid value for layers"],
  [{ layers: [{ ...week, only: [{ from: "9", to: "10:00" }] }] }, "Invalid value for layers"],
  [{ layers: [{ ...week, turn: "day", handover: { at: "09:00", weekday: "x" } }] }, "Invalid value for layers"],
  [{ overrides: "x" }, "Invalid value for overrides"],
  [{ overrides: [null] }, "Invalid value for overrides"],
  [{ overrides: [{ id: "a", start: 2, end: 1, user: "ann" }] }, "Invalid value for overrides"],
  [{ overrides: [{ id: "a", start: 1, end: 2, user: "ann", instead_of: null }] }, "Invalid value for overrides"],
  [
    { overrides: Array.from({ length: 501 }, () => ({ start: 1, end: 2, user: "ann" })) },
    "Invalid value for overrides",
  ],
])("%j is refused", async (change, description) => {
  const at = await unchanged();
  expect(await refusalOf(at.api.updateRota({ id: "ops", ...change } as never))).toEqual({ code: "rota", description });
});

test("a layer without windows of its own, as forms send it, always applies", async () => {
  await using at = await setUp();
  await at.api.updateRota({ id: "ops", layers: [{ ...week, only: null }] } as never);
  expect((await at.api.getRota({ id: "ops" })).on_duty).toMatch(/ann|bob/);
});

test("a rota in use cannot be deleted", async () => {
  await using at = await setUp();
  const { receiver } = await at.api.createReceiver({ title: "On duty", type: "rota", rota: "ops" });
  expect(await refusalOf(at.api.deleteRota({ id: "ops" }))).toMatchObject({
    description: `In use by receiver ${receiver.id}`,
  });
  await at.api.deleteReceiver({ id: receiver.id });
  await at.api.deleteRota({ id: "ops" });
});

describe("a rota whose stored overrides are broken", () => {
  const now = Math.floor(Date.parse("2027-01-15T08:00Z") / 1000);
  const swap = { id: "ov1", start: now - 60, end: now + 60, user: "ann" };
  const broken = async (members: object) => {
    const at = await setUp();
    await at.cradle.transact(({ tx }) =>
      tx.collection(rotaCollection).update("ops", (rota) => ({ ...rota, ...members })),
    );
    return at;
  };

  test.each([
    ["are null", null, "bob"],
    ["contain no override", [null, 5, {}], "bob"],
    ["contain a valid one as well", [null, swap], "ann"],
  ])("%s: it is shown with the valid ones", async (_how, overrides, user) => {
    await using at = await broken({ overrides });
    const { on_duty, rota, shifts } = await at.api.getRota({ id: "ops" });
    expect(on_duty).toBe(user);
    expect(rota.overrides).toEqual(user === "ann" ? [swap] : []);
    expect(shifts[0]?.user).toBe(user);
  });

  test("a change of another member repairs it, and so does a swap", async () => {
    await using at = await broken({ overrides: [null, swap] });
    const { rota } = await at.api.updateRota({ id: "ops", title: "Mended" });
    expect(rota.overrides).toEqual([swap]);
    await at.cradle.transact(({ tx }) =>
      tx.collection(rotaCollection).update("ops", (stored) => ({ ...stored, overrides: null as never })),
    );
    const added = await at.api.addRotaOverride({ id: "ops", override: { start: now, end: now + 60, user: "bob" } });
    expect(added.rota.overrides).toMatchObject([{ user: "bob" }]);
  });

  test("layers that cannot be read are a gap, and must be sent with the next change", async () => {
    await using at = await broken({ layers: null });
    expect(await at.api.getRota({ id: "ops" })).toMatchObject({ on_duty: null, rota: { layers: [] } });
    expect(await refusalOf(at.api.updateRota({ id: "ops", title: "Mended" }))).toMatchObject({
      description: "Invalid value for layers",
    });
    await at.api.updateRota({ id: "ops", layers: [week] } as never);
    expect((await at.api.getRota({ id: "ops" })).on_duty).toBe("bob");
  });
});
