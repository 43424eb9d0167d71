import { activityCollection } from "../../src/directory/activity/collection.ts";
import { pluginCollection } from "../../src/directory/plugins/collection.ts";
import type { PluginRecord } from "../../src/directory/plugins/model.ts";
import { eventCollection } from "../../src/work/events/collection.ts";
import type { Event } from "../../src/work/events/model.ts";
import { cradleProbe, startEngine } from "../engine.ts";

/** An engine to which events and plugins can be added as by an import, without the checks of their operations. */
export async function setUp(config = {}) {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin], config });
  const { storage, transact } = probe.cradle();
  return {
    ...engine,
    addEvent: (event: Partial<Event> & { id: string }) =>
      transact(({ tx }) => tx.collection(eventCollection).insert({ title: "E", ...event } as Event)),
    addPlugin: (id: string, type: PluginRecord["type"]) =>
      transact(({ tx }) => tx.collection(pluginCollection).insert({ id, title: "P", type } as PluginRecord)),
    activity: () => storage.read((tx) => tx.collection(activityCollection).list()),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

/** An action that refers to an event. */
export const runs = (event_id: string) => ({ enabled: true, condition: "error", type: "run_event", event_id });
/** An action that refers to a plugin. */
export const uses = (plugin_id: string) => ({ enabled: true, condition: "error", type: "plugin", plugin_id });
