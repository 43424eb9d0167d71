import { expect, test } from "vitest";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { systemClock } from "../../../ports/clock.ts";
import { invocationCollection } from "../collection.ts";
import { alertTickets } from "./tickets.ts";

test("a ticket is added once to the list of an invocation, and removed from it", async () => {
  const storage = memoryStorage({ clock: systemClock });
  await storage.open([invocationCollection]);
  const lists = { groups: [], jobs: [], tickets: [] };
  const ended = { id: "i1", alert: "hot", server: "s1", date: 1, active: false, modified: 1, ...lists };
  await storage.write((tx) => tx.collection(invocationCollection).insert(ended as never));
  const stored = () => storage.read(async (tx) => (await tx.collection(invocationCollection).get("i1"))?.tickets);
  for (const ticket of ["t1", "t2", "t1"]) await storage.write((tx) => alertTickets.add(tx, "i1", ticket));
  expect(await stored()).toEqual(["t1", "t2"]);
  expect(await storage.write((tx) => alertTickets.removePage(tx, "t1"))).toBe(false);
  expect(await stored()).toEqual(["t2"]);
  await storage.write((tx) => alertTickets.add(tx, "gone", "t1"));
  await storage.close();
});
