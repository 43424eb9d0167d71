import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { basic, setUp } from "../../../test/work/event-setup.ts";

const open = () => setUp();
type At = Awaited<ReturnType<typeof open>>;

const runs = (event_id: string) => ({ enabled: true, condition: "error", type: "run_event", event_id }) as const;
const program = (plugin_id: string) => ({ enabled: true, condition: "error", type: "plugin", plugin_id }) as const;
const missing = (description: string) => ({ code: "api", description });

async function makePlugins({ api }: At): Promise<void> {
  await api.createPlugin({ id: "tool", title: "Tool", type: "event", command: "sh" });
  await api.createPlugin({ id: "decides", title: "Decides", type: "scheduler", command: "sh" });
  await api.createPlugin({ id: "tells", title: "Tells", type: "action", command: "sh" });
}

describe("an event that names a deleted record", () => {
  test("accepts an update of something else, also one that sends all members back", async () => {
    await using at = await open();
    await makePlugins(at);
    await at.api.createEvent({ ...basic, id: "other" });
    await at.api.createTag({ id: "nightly", title: "Nightly" });
    const triggers = [...basic.triggers, { type: "plugin", enabled: true, plugin_id: "decides", params: {} }];
    const actions = [runs("other"), program("tells")];
    const members = { plugin: "tool", params: {}, tags: ["nightly"], triggers, actions };
    const { event } = await at.api.createEvent({ ...basic, ...members } as never);
    for (const id of ["tool", "decides", "tells"]) await at.api.deletePlugin({ id });
    await at.api.deleteTag({ id: "nightly" });
    await at.api.deleteEvent({ id: "other" });
    expect((await at.api.updateEvent({ id: "backup", notes: "n" })).event).toMatchObject({ notes: "n", actions });
    const { revision: _old, ...whole } = event;
    expect((await at.api.updateEvent({ ...whole, notes: "m" } as never)).event).toMatchObject({ notes: "m", actions });
  });

  test.each([
    [{ actions: [runs("other"), runs("none")] }, "Malformed action entry #2: Event not found: none"],
    [{ actions: [{ ...runs("other"), start_delay: 5 }] }, "Malformed action entry #1: Event not found: other"],
    [{ plugin: "none" }, "Plugin not found: none"],
    [{ tags: ["none"] }, "Unknown tag: none"],
    [
      { triggers: [{ type: "plugin", enabled: true, plugin_id: "none", params: {} }] },
      "Malformed trigger entry #1: Scheduler Plugin not found: none",
    ],
  ])("still may not name another missing record: %j", async (change, description) => {
    await using at = await open();
    await at.api.createEvent({ ...basic, id: "other" });
    await at.api.createEvent({ ...basic, actions: [runs("other")] });
    await at.api.deleteEvent({ id: "other" });
    expect(await refusalOf(at.api.updateEvent({ id: "backup", ...change } as never))).toEqual(missing(description));
  });
});

describe("a workflow whose nodes name a deleted record", () => {
  const node = (id: string, type: string, data: object) => ({ id, type, x: 0, y: 0, data });
  const nodes = [
    node("n1", "trigger", {}),
    node("n2", "event", { event: "other", params: {} }),
    node("n3", "job", { plugin: "tool", category: "general", targets: ["main"], algo: "random", params: {} }),
    node("n4", "action", { enabled: true, type: "run_event", event_id: "other" }),
    node("n5", "action", { enabled: true, type: "plugin", plugin_id: "tells" }),
  ];
  const connections = nodes.slice(1).map(({ id }) => ({ id: `c${id}`, source: "n1", dest: id }));
  const triggers = [{ id: "n1", type: "manual", enabled: true }];
  const flow = { ...basic, id: "flow", type: "workflow", triggers, workflow: { nodes, connections } };

  async function openFlow() {
    const at = await open();
    await makePlugins(at);
    await at.api.createEvent({ ...basic, id: "other" });
    await at.api.createEvent(flow as never);
    for (const id of ["tool", "tells"]) await at.api.deletePlugin({ id });
    await at.api.deleteEvent({ id: "other" });
    return at;
  }

  test("accepts an update of something else, and of other nodes", async () => {
    await using at = await openFlow();
    expect((await at.api.updateEvent({ id: "flow", notes: "n" })).event.notes).toBe("n");
    const [first, ...rest] = nodes.map((each) => ({ ...each, x: each.x + 100 }));
    const workflow = { nodes: [first, ...rest, node("n6", "note", { body: "B" })], connections };
    expect((await at.api.updateEvent({ id: "flow", workflow } as never)).event).toMatchObject({ workflow });
    const changed = nodes.map((each) => (each.id === "n3" ? { ...each, data: { ...each.data, label: "L" } } : each));
    const sent = at.api.updateEvent({ id: "flow", workflow: { nodes: changed, connections } } as never);
    expect(await refusalOf(sent)).toEqual(missing("Malformed workflow node #n3: Unknown Plugin ID: tool"));
  });

  test("accepts an update by a limited caller, who may not add such a node", async () => {
    await using at = await openFlow();
    const limited = at.as(keyWith(["edit_events"], { categories: ["general"] }));
    expect((await limited.updateEvent({ id: "flow", notes: "n" })).event.notes).toBe("n");
    const added = { nodes: [...nodes, node("n6", "event", { event: "none" })], connections };
    expect(await refusalOf(limited.updateEvent({ id: "flow", workflow: added } as never))).toEqual(
      missing("Workflow references missing Event ID: none"),
    );
  });
});

test("categories, groups and alerts whose actions name a deleted event accept updates, too", async () => {
  await using at = await open();
  const { api } = at;
  await api.createEvent({ ...basic, id: "other" });
  const actions = [runs("other")];
  const fired = [{ ...runs("other"), condition: "alert_new" as const }];
  await api.createCategory({ id: "ops", title: "Ops", actions });
  await api.createGroup({ id: "web", title: "Web", hostname_match: "web", alert_actions: fired });
  await api.createAlert({ id: "hot", title: "Hot", expression: "temp > 5", message: "m", actions: fired });
  await api.deleteEvent({ id: "other" });
  expect(await api.updateCategory({ id: "ops", title: "Operations", actions })).toEqual({});
  expect((await api.updateGroup({ id: "web", title: "Webs", alert_actions: fired })).group.title).toBe("Webs");
  expect((await api.updateAlert({ id: "hot", title: "Heat", actions: fired })).alert.title).toBe("Heat");
  const other = [{ ...runs("none"), condition: "alert_new" as const }];
  const refused = missing("Malformed action entry #1: Event not found: none");
  expect(await refusalOf(api.updateCategory({ id: "ops", actions: other }))).toEqual(refused);
  expect(await refusalOf(api.updateGroup({ id: "web", alert_actions: other }))).toEqual(refused);
  expect(await refusalOf(api.updateAlert({ id: "hot", actions: other }))).toEqual(refused);
});
