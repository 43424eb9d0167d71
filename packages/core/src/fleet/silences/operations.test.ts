import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { type Actor, systemActor } from "../../kernel/calls/context.ts";
import { silenceCollection } from "./collection.ts";

const start = useFleets();
const limited = (...groups: string[]): Actor => ({
  ...systemActor,
  kind: "user",
  id: "ann",
  privileges: { silence_alerts: true },
  groups,
});
const inCategories = (...categories: string[]): Actor => ({ ...limited(), categories });
const join = (fleet: Fleet, id: string) => fleet.agent.connect({ hostname: `host-${id}`, id });
const works = { title: "Works", servers: ["s1"] };

describe("silences", () => {
  test("a silence lives from create to delete, with its rows of activity", async () => {
    const fleet = await start();
    const { api } = fleet.signalbox;
    const now = Math.floor(fleet.clock.now());
    const { silence } = await api.createSilence({ ...works, end: now + 600, notes: "Disks" });
    expect(silence).toMatchObject({
      enabled: true,
      start: now,
      end: now + 600,
      groups: [],
      revision: 1,
      notes: "Disks",
    });
    expect(silence.id).toMatch(/^q[a-z0-9]{15}$/);
    const { id } = silence;
    expect((await api.getSilence({ id })).silence.in_force).toBe(true);
    await api.updateSilence({ id, start: now + 60 });
    expect((await api.getSilences()).rows).toMatchObject([{ id, revision: 2, in_force: false }]);
    await api.deleteSilence({ id });
    await expect(api.getSilence({ id })).rejects.toMatchObject({
      code: "notfound",
      description: `Failed to locate silence: ${id}`,
    });
    const rows = await fleet.storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.map(({ action }) => action).filter((action) => action.startsWith("silence"))).toEqual([
      "silence_create",
      "silence_update",
      "silence_delete",
    ]);
  });

  test("a recurring silence needs no end and begins with its first window", async () => {
    const { signalbox } = await start();
    const recurring = { weekdays: [0], from: "02:00", to: "04:00", timezone: "Europe/Berlin" };
    const { silence } = await signalbox.api.createSilence({ ...works, recurring });
    expect(silence).toMatchObject({ start: null, end: null, recurring });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ end: undefined }, "A silence needs an end, or times that recur."],
    [{ start: 500, end: 500 }, "The end of a silence must come after its start."],
    [{ end: "tomorrow" }, "Invalid value for end"],
    [{ start: 1.5 }, "Invalid value for start"],
    [{ enabled: "yes" }, "Invalid value for enabled"],
    [{ servers: "s1" }, "Invalid value for servers"],
    [{ groups: ["a b"] }, "Invalid value for groups"],
    [{ tags: Array.from({ length: 1001 }, () => "t") }, "Invalid value for tags"],
    [{ severities: ["grave"] }, "Invalid value for severities"],
    [{ recurring: [] }, "Invalid value for recurring"],
    [{ recurring: { from: "25:00", to: "02:00" } }, "Invalid value for recurring.from"],
    [{ recurring: { from: "01:00" } }, "Invalid value for recurring.to"],
    [{ recurring: { from: "01:00", to: "02:00", timezone: "Mars/Base" } }, "Invalid value for recurring.timezone"],
    [{ recurring: { from: "01:00", to: "02:00", weekdays: [7] } }, "Invalid value for recurring.weekdays"],
    [{ recurring: { from: "01:00", to: "02:00", days: [0] } }, "Invalid value for recurring.days"],
    [
      { servers: [] },
      "A silence needs servers, groups, events, alerts or tags. To silence everything, set the state alert_snooze.",
    ],
  ])("%.60j is refused", async (members, description) => {
    const { signalbox } = await start();
    const call = signalbox.execute({
      operation: "create_silence",
      input: { ...works, end: 4_000_000_000, ...members },
      actor: systemActor,
    });
    await expect(call).rejects.toMatchObject({ code: "silence", description });
  });

  test("an update follows the same rules, and unknown ids are named", async () => {
    const { signalbox } = await start();
    const { api } = signalbox;
    await api.createSilence({ id: "q1", ...works, end: 4_000_000_000 });
    await expect(api.createSilence({ id: "q1", ...works, end: 4_000_000_000 })).rejects.toThrow(
      "That Silence ID already exists: q1",
    );
    await expect(api.updateSilence({ id: "q1", servers: [] })).rejects.toThrow("A silence needs servers");
    await expect(api.updateSilence({ id: "no" })).rejects.toThrow("Failed to update silence: Error: Item not found");
    await expect(api.deleteSilence({ id: "no" })).rejects.toThrow("Failed to delete silence: Error: Item not found");
  });

  test("an ended silence is deleted after three months", async () => {
    const probe = cradleProbe();
    const fleet = await start({ plugins: [probe.plugin] });
    const now = Math.floor(fleet.clock.now());
    const { silences } = probe.cradle();
    await fleet.signalbox.api.createSilence({ ...works, end: now + 60 });
    await silences.forget(now + 60 * 86_400);
    expect((await fleet.signalbox.api.getSilences()).rows).toHaveLength(1);
    await silences.forget(now + 91 * 86_400);
    expect((await fleet.signalbox.api.getSilences()).rows).toEqual([]);
  });
});

describe("callers limited to groups", () => {
  const end = 4_000_000_000;
  async function setUp() {
    const fleet = await start();
    await fleet.signalbox.api.createGroup({ id: "web", title: "Web", hostname_match: "host-s1" });
    await fleet.signalbox.api.createGroup({ id: "db", title: "Databases", hostname_match: "host-s2" });
    await join(fleet, "s1");
    await join(fleet, "s2");
    return { fleet, api: fleet.signalbox.as(limited("web")), all: fleet.signalbox.api };
  }

  test("silence their own groups and servers", async () => {
    const { api } = await setUp();
    const { silence } = await api.createSilence({ title: "Own", servers: ["s1"], groups: ["web"], end });
    expect(silence.username).toBe("ann");
    await api.updateSilence({ id: silence.id, alerts: ["hot"] });
    await api.deleteSilence({ id: silence.id });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ servers: ["s2"] }, "server ID s2."],
    [{ servers: ["s1", "s2"] }, "server ID s2."],
    [{ servers: ["unknown"] }, "server ID unknown."],
    [{ groups: ["web", "db"] }, "group ID db."],
    [{ alerts: ["hot"] }, "group ID *."],
    [{ tags: ["disk"] }, "group ID *."],
  ])("may not silence %j", async (scope, what) => {
    const { api, fleet } = await setUp();
    const text = `You do not have the required account privileges to access ${what}`;
    await expect(api.createSilence({ title: "Others'", end, ...scope })).rejects.toMatchObject({
      code: "access",
      description: text,
    });
    expect(await fleet.storage.read((tx) => tx.collection(silenceCollection).list())).toEqual([]);
  });

  test("may not move their silences to others, or change or see others' silences", async () => {
    const { api, all } = await setUp();
    await all.createSilence({ id: "mine", title: "Mine", servers: ["s1"], end });
    await all.createSilence({ id: "theirs", title: "Theirs", servers: ["s2"], end });
    await all.createSilence({ id: "mixed", title: "Mixed", groups: ["web", "db"], end });
    await all.createSilence({ id: "wide", title: "Wide", alerts: ["hot"], end });
    await expect(api.updateSilence({ id: "mine", servers: ["s2"] })).rejects.toMatchObject({ code: "access" });
    for (const id of ["theirs", "mixed", "wide"]) {
      await expect(api.updateSilence({ id, enabled: false })).rejects.toMatchObject({ code: "access" });
      await expect(api.deleteSilence({ id })).rejects.toMatchObject({ code: "access" });
    }
    // A silence that names only alerts also covers their servers, so they see it.
    expect((await api.getSilences()).rows.map(({ id }) => id)).toEqual(["mine", "wide"]);
    await expect(api.getSilence({ id: "theirs" })).rejects.toMatchObject({ code: "access" });
    expect((await api.getSilence({ id: "wide" })).silence.title).toBe("Wide");
  });
});

describe("callers limited to categories", () => {
  const end = 4_000_000_000;

  test.each([[{ alerts: ["check_down"] }], [{ tags: ["disk"] }], [{ severities: ["critical"] }]])(
    "may not silence %j, which includes checks and events of all categories",
    async (scope) => {
      const { signalbox, storage } = await start();
      const call = signalbox.as(inCategories("general")).createSilence({ title: "Wide", end, ...scope } as never);
      await expect(call).rejects.toMatchObject({
        code: "access",
        description: "You do not have the required account privileges to access category ID *.",
      });
      expect(await storage.read((tx) => tx.collection(silenceCollection).list())).toEqual([]);
    },
  );

  test("silence checks of their categories, and servers", async () => {
    const { signalbox } = await start();
    await signalbox.api.createCheck({ id: "own", title: "Own", type: "tcp", host: "192.0.2.1", port: 443 });
    const api = signalbox.as(inCategories("general"));
    await api.createSilence({ title: "Own", checks: ["own"], end });
    await api.createSilence({ title: "Server", servers: ["s1"], end });
    expect((await api.getSilences()).rows).toHaveLength(2);
  });
});
