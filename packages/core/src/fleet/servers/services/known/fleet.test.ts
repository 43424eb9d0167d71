import { expect, test } from "vitest";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import type { HostRecord, Server } from "../../model.ts";
import type { Connection } from "../connections/connection.ts";
import { createFleet } from "./fleet.ts";

test("the time of the last minute is known until the server disconnects", () => {
  const fleet = createFleet({ clock: fakeClock() });
  const server = { id: "s1", groups: [], info: {} } as unknown as Server;
  const [first, second] = [{ id: "s1" }, { id: "s1" }] as unknown as [Connection, Connection];
  fleet.add(server, first);
  expect(fleet.entry("s1")?.latestAt).toBeUndefined();
  const record = { id: "s1", date: 1_800_000_000, data: {} } as unknown as HostRecord;
  fleet.recorded(record, [JSON.stringify(record)]);
  fleet.add(server, second);
  expect(fleet.entry("s1")?.latestAt).toBe(1_800_000_000);
  fleet.remove(second, 1_800_000_060);
  fleet.add(server, first);
  expect(fleet.entry("s1")?.latestAt).toBeUndefined();
  expect(fleet.latest("s1")).toEqual(record);
});
