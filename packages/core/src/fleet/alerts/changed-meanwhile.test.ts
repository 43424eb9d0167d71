import { expect, test } from "vitest";
import { hot, invocations, join, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { heldStorage } from "../../../test/fleet/held-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { stateCollection } from "./collection.ts";

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
