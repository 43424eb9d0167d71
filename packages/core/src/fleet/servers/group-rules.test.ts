import { describe, expect, test } from "vitest";
import { type Fleet, type FleetOptions, useFleets } from "../../../test/fleet/fleet.ts";
import { groupCollection } from "../../directory/groups/collection.ts";
import type { Group } from "../../directory/groups/model.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { serverCollection } from "./collection.ts";
import type { Server } from "./model.ts";

const start = useFleets();

const group = (id: string, hostname_match: string, members = {}) => ({ id, title: id, hostname_match, ...members });
const stored = ({ storage }: Fleet, id: string): Promise<Server | undefined> =>
  storage.read((tx) => tx.collection(serverCollection).get(id));
const groupsOf = async (fleet: Fleet, id = "s1") => {
  const record = await stored(fleet, id);
  const { groups, autoGroup } = record ?? {};
  const { rows } = await fleet.signalbox.api.getActiveServers();
  // The in-memory copy of a connected server has the same groups.
  for (const server of rows.filter((row) => row.id === id)) expect(server).toMatchObject({ groups, autoGroup });
  return { groups, autoGroup };
};
/** The groups that the agent was sent since it joined. */
const told = ({ received }: ScriptedServer): unknown[] =>
  received
    .filter(({ cmd, data }) => cmd === "update" && Object.hasOwn(data as object, "groups"))
    .map(({ data }) => (data as { groups: string[] }).groups);

async function withGroups(options?: FleetOptions) {
  const fleet = await start(options);
  const { api } = fleet.signalbox;
  await api.createGroup(group("zweb", "^web"));
  await api.createGroup(group("db", "db"));
  const join = (hostname: string, id = "s1", initial = {}) => fleet.agent.connect({ hostname, id, initial });
  return { ...fleet, api, join };
}

describe("rule 1: a new server is in every group whose pattern matches its hostname", () => {
  test("in the order in which the groups were created, whatever their sort order", async () => {
    const at = await withGroups();
    await at.api.multiUpdateGroup({
      items: [
        { id: "main", sort_order: 9 },
        { id: "db", sort_order: 0 },
      ],
    });
    await at.join("WEB-db-1.example.internal");
    expect(await groupsOf(at)).toEqual({ groups: ["main", "zweb", "db"], autoGroup: true });
  });

  test("the pattern is not anchored and is matched against the hostname in lower case", async () => {
    const at = await withGroups();
    await at.api.createGroup(group("upper", "WEB"));
    await at.join("old-DB-7");
    expect((await groupsOf(at)).groups).toEqual(["main", "db"]);
  });

  test("an empty pattern matches nothing", async () => {
    const at = await withGroups();
    await at.api.updateGroup({ id: "main", hostname_match: "" });
    await at.join("mail-1");
    expect(await groupsOf(at)).toEqual({ groups: [], autoGroup: true });
  });

  test("a stored pattern that is no regular expression is skipped", async () => {
    const at = await withGroups();
    const stamps = { username: "x", created: 1, modified: 1 };
    const broken: Group = { ...group("broken", "("), alert_actions: [], sort_order: 1, ...stamps };
    await at.storage.write((tx) => tx.collection(groupCollection).insert(broken));
    await at.join("web-1");
    expect((await groupsOf(at)).groups).toEqual(["main", "zweb"]);
  });

  test("a new hostname applies from the next connect on", async () => {
    const at = await withGroups();
    (await at.join("web-1")).close();
    await at.settle();
    await at.join("db-1");
    expect((await groupsOf(at)).groups).toEqual(["main", "db"]);
  });

  test("groups that the agent sends make it manual, and unknown ones are dropped", async () => {
    const at = await withGroups();
    await at.join("web-1", "s1", { groups: "db, nowhere" });
    expect(await groupsOf(at)).toEqual({ groups: ["db"], autoGroup: false });
  });
});

describe("rule 2: groups set by hand disable automatic assignment", () => {
  test("groups alone are enough", async () => {
    const at = await withGroups();
    const agent = await at.join("web-1");
    const { server } = await at.api.updateServer({ id: "s1", groups: ["db", "db"] });
    expect(server).toMatchObject({ groups: ["db"], autoGroup: false });
    expect(await groupsOf(at)).toEqual({ groups: ["db"], autoGroup: false });
    expect(told(agent)).toEqual([["db"]]);
  });

  test("autoGroup false without groups keeps the current list", async () => {
    const at = await withGroups();
    await at.join("web-1");
    await at.api.updateServer({ id: "s1", autoGroup: false });
    expect(await groupsOf(at)).toEqual({ groups: ["main", "zweb"], autoGroup: false });
  });

  test("both members work too, and a manual server stays manual when it reconnects", async () => {
    const at = await withGroups();
    (await at.join("web-1")).close();
    await at.settle();
    await at.api.updateServer({ id: "s1", groups: ["db"], autoGroup: false });
    await at.join("web-1");
    expect(await groupsOf(at)).toEqual({ groups: ["db"], autoGroup: false });
  });

  test("an empty list removes all groups and leaves autoGroup unchanged", async () => {
    const at = await withGroups();
    await at.join("web-1");
    await at.api.updateServer({ id: "s1", groups: [] });
    expect(await groupsOf(at)).toEqual({ groups: [], autoGroup: true });
    await at.api.updateServer({ id: "s1", groups: ["db"] });
    await at.api.updateServer({ id: "s1", groups: [] });
    expect(await groupsOf(at)).toEqual({ groups: [], autoGroup: false });
  });
});

describe("rule 3: autoGroup true computes the groups again", () => {
  test("and ignores groups that are sent too", async () => {
    const at = await withGroups();
    const agent = await at.join("web-1", "s1", { groups: ["db"] });
    const { server } = await at.api.updateServer({ id: "s1", autoGroup: true, groups: ["db"] });
    expect(server).toMatchObject({ groups: ["main", "zweb"], autoGroup: true });
    expect(told(agent)).toEqual([["main", "zweb"]]);
  });

  test("an empty list with autoGroup true restores automatic assignment", async () => {
    const at = await withGroups();
    (await at.join("web-1", "s1", { groups: ["db"] })).close();
    await at.settle();
    await at.api.updateServer({ id: "s1", autoGroup: true, groups: [] });
    expect(await groupsOf(at)).toEqual({ groups: ["main", "zweb"], autoGroup: true });
  });
});

describe("rule 4: a changed group changes the connected servers at once", () => {
  test("when it is created, changed, reordered and deleted", async () => {
    const at = await withGroups();
    const agent = await at.join("web-1");
    await at.api.createGroup(group("one", "1$"));
    await at.settle();
    expect((await groupsOf(at)).groups).toEqual(["main", "zweb", "one"]);
    await at.api.updateGroup({ id: "one", hostname_match: "2$" });
    await at.settle();
    await at.api.multiUpdateGroup({ items: [{ id: "db", hostname_match: "e" }] });
    await at.settle();
    await at.api.deleteGroup({ id: "main" });
    await at.settle();
    expect((await groupsOf(at)).groups).toEqual(["zweb", "db"]);
    expect(told(agent)).toEqual([
      ["main", "zweb", "one"],
      ["main", "zweb"],
      ["main", "zweb", "db"],
      ["zweb", "db"],
    ]);
  });

  test("an agent whose groups stay the same is sent nothing", async () => {
    const at = await withGroups();
    const agent = await at.join("web-1");
    await at.api.updateGroup({ id: "main", title: "Everything" });
    await at.api.createGroup(group("mail", "mail"));
    await at.settle();
    expect(told(agent)).toEqual([]);
  });

  test("commands of monitor plugins follow the groups", async () => {
    const at = await withGroups();
    const agent = await at.join("web-1");
    const top = { id: "top", command: "top", groups: ["db"] };
    await at.api.createPlugin({ ...top, title: "Top", type: "monitor", enabled: true } as never);
    await at.api.updateServer({ id: "s1", groups: ["db"] });
    const updates = agent.received.filter(({ cmd, data }) => cmd === "update" && "groups" in (data as object));
    expect(updates).toMatchObject([{ data: { commands: expect.arrayContaining([expect.objectContaining(top)]) } }]);
  });
});

describe("rule 5: a manual server loses deleted groups, and becomes automatic with the last one", () => {
  test("while it is connected", async () => {
    const at = await withGroups();
    await at.join("web-1", "s1", { groups: ["db", "main"] });
    await at.api.deleteGroup({ id: "main" });
    await at.settle();
    expect(await groupsOf(at)).toEqual({ groups: ["db"], autoGroup: false });
    await at.api.deleteGroup({ id: "db" });
    await at.settle();
    expect(await groupsOf(at)).toEqual({ groups: ["zweb"], autoGroup: true });
  });

  test("otherwise at its next connect", async () => {
    const at = await withGroups();
    (await at.join("web-1", "s1", { groups: ["db"] })).close();
    await at.settle();
    await at.api.deleteGroup({ id: "db" });
    await at.settle();
    expect((await stored(at, "s1"))?.groups).toEqual(["db"]);
    await at.join("web-1");
    expect(await groupsOf(at)).toEqual({ groups: ["main", "zweb"], autoGroup: true });
  });

  test("an intentionally empty list stays empty", async () => {
    const at = await withGroups();
    await at.join("web-1");
    await at.api.updateServer({ id: "s1", groups: [], autoGroup: false });
    await at.api.deleteGroup({ id: "db" });
    await at.settle();
    expect(await groupsOf(at)).toEqual({ groups: [], autoGroup: false });
  });
});

describe("rule 6: stored automatic servers are updated in the background", () => {
  const COUNT = 450;
  const plant = ({ storage }: { storage: Storage }) =>
    storage.write(async (tx) => {
      for (let n = 0; n < COUNT; n++) {
        const autoGroup = n % 10 !== 0;
        await tx.collection(serverCollection).insert({
          ...{ id: `s${String(n).padStart(4, "0")}`, hostname: `web-${n}`, ip: "10.0.0.1", enabled: true },
          ...{ groups: ["main"], autoGroup, created: 1, modified: 1, info: {} },
        });
      }
    });
  const membersOf = async ({ storage }: { storage: Storage }, id: string): Promise<number> => {
    const where = { kind: "term", field: "groups", words: [id] } as const;
    return (await storage.read((tx) => tx.collection(serverCollection).find(where, { limit: 0 }))).total;
  };

  test("all of them and no manual ones, with their search words", async () => {
    const fleet = await start();
    await plant(fleet);
    await fleet.signalbox.api.createGroup(group("web", "^web-"));
    await fleet.settle();
    expect(await membersOf(fleet, "web")).toBe(405);
    expect(await stored(fleet, "s0011")).toMatchObject({ groups: ["main", "web"], modified: 1 });
    expect((await stored(fleet, "s0011"))?.keywords).toContain(",main,web,");
    expect((await stored(fleet, "s0010"))?.groups).toEqual(["main"]);
  });

  test("a change while it runs is not lost", async () => {
    const fleet = await start();
    await plant(fleet);
    const { api } = fleet.signalbox;
    await Promise.all([api.createGroup(group("web", "^web-")), api.createGroup(group("five", "5$"))]);
    await api.deleteGroup({ id: "web" });
    await fleet.settle();
    await fleet.settle();
    expect([await membersOf(fleet, "web"), await membersOf(fleet, "five")]).toEqual([0, 45]);
  });

  test("an interrupted update is continued by the next start", async () => {
    const clock = fakeClock();
    const inner = memoryStorage({ clock });
    let isDead = false;
    const storage: Storage = {
      ...inner,
      write: (work) => (isDead ? Promise.reject(new Error("killed")) : inner.write(work)),
    };
    const first = await start({ clock, storage });
    await plant({ storage: inner });
    first.signalbox.events.on("server.updated", () => {
      // Nothing is stored after the first page, as if the process had been killed.
      isDead = true;
    });
    await first.signalbox.api.createGroup(group("web", "^web-"));
    await first.settle();
    const halfway = await membersOf({ storage: inner }, "web");
    expect(halfway).toBeGreaterThan(0);
    expect(halfway).toBeLessThan(405);
    await first.signalbox.stop().catch(() => undefined);
    isDead = false;
    await start({ clock, storage });
    await clock.advance(120);
    expect(await membersOf({ storage: inner }, "web")).toBe(405);
  });
});
