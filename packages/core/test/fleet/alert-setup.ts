import { activityCollection } from "../../src/directory/activity/collection.ts";
import { invocationCollection } from "../../src/fleet/alerts/collection.ts";
import type { Invocation } from "../../src/fleet/alerts/model.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
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

const MINUTE = 60;

/** Sends the next minute of a server, with the given temperature, and waits until it is stored. */
export async function hotMinute(fleet: Fleet, agent: Awaited<ReturnType<typeof join>>, temp: number): Promise<void> {
  await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / MINUTE) * MINUTE + MINUTE + 1);
  const stored = fleet.next("server.minute");
  agent.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp } });
  await stored;
}

export const invocations = ({ storage }: { storage: Storage }): Promise<Invocation[]> =>
  storage.read((tx) => tx.collection(invocationCollection).list());

/** Firings and clearings in the activity log. */
export const activity = async ({ storage }: { storage: Storage }) =>
  (await storage.read((tx) => tx.collection(activityCollection).list())).filter(({ action }) =>
    /^alert_(new|cl)/.test(action),
  );
