import { expect, test } from "vitest";
import { hot, hotMinute, invocations, join, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { heldStorage } from "../../../test/fleet/held-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { invocationCollection, stateCollection } from "./collection.ts";

const start = useFleets();

test.each(["disabled", "deleted"] as const)(
  "an alert that is %s while a minute is being stored does not fire",
  async (how) => {
    const clock = fakeClock();
    const { storage, hold } = heldStorage(clock);
    const fleet = await start({ clock, storage, config: without });
    const { api } = fleet.signalbox;
    await api.createAlert(hot);
    const agent = await join(fleet);
    await fleet.minute(agent, { temp: 0 });
    await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
    const stored = fleet.next("server.minute");
    const release = hold();
    agent.send("monitor", { version: "1.0", date: clock.now(), data: { temp: 60 } });
    await clock.advance(0.2);
    await (how === "disabled" ? api.updateAlert({ id: "hot", enabled: false }) : api.deleteAlert({ id: "hot" }));
    release();
    await stored;
    await fleet.settle();
    expect(await invocations(fleet)).toEqual([]);
    expect(await storage.read((tx) => tx.collection(stateCollection).list())).toEqual([]);
  },
);

test.each([{}, { no_data: "keep" } as const])(
  "a firing that is committed after its alert was disabled ends within a minute: %j",
  async (members) => {
    const fleet = await start({ config: without });
    const { signalbox, storage, clock } = fleet;
    await signalbox.api.createAlert({ ...hot, ...members });
    const agent = await join(fleet);
    await hotMinute(fleet, agent, 60);
    const [[state], [fired]] = await Promise.all([
      storage.read((tx) => tx.collection(stateCollection).list()),
      invocations(fleet),
    ]);
    if (!state || !fired) throw new Error("The alert has not fired");
    await signalbox.api.updateAlert({ id: "hot", enabled: false });
    await storage.write(async (tx) => {
      await tx.collection(stateCollection).insert(state);
      await tx.collection(invocationCollection).update(fired.id, () => fired);
    });
    await clock.advance(60);
    await fleet.settle();
    expect(await invocations(fleet)).toMatchObject([{ id: fired.id, active: false, ended_by: "was disabled" }]);
    expect(await storage.read((tx) => tx.collection(stateCollection).list())).toEqual([]);
  },
);
