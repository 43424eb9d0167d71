import { activityCollection } from "../src/directory/activity/collection.ts";
import { invocationCollection } from "../src/fleet/alerts/collection.ts";
import type { Invocation } from "../src/fleet/alerts/model.ts";
import type { Storage } from "../src/ports/storage.ts";
import type { Fleet } from "./fleet.ts";

export const ping = { enabled: true, condition: "alert_new", type: "test.ping", to: "a" };
export const hot = {
  id: "hot",
  title: "Too hot",
  expression: "temp >= 50",
  message: "{{temp}} degrees, {{nothing}}!",
};
export const without = { alert_universal_actions: [] };

export const join = (fleet: Fleet, id = "s1") =>
  fleet.agent.connect({ hostname: `host-${id}`, id, initial: { title: "Web" } });

export const invocations = ({ storage }: { storage: Storage }): Promise<Invocation[]> =>
  storage.read((tx) => tx.collection(invocationCollection).list());

/** Firings and clearings in the activity log. */
export const activity = async ({ storage }: { storage: Storage }) =>
  (await storage.read((tx) => tx.collection(activityCollection).list())).filter(({ action }) =>
    /^alert_(new|cl)/.test(action),
  );
