import { describe, expect, test } from "vitest";
import { ONE_STORAGE } from "../open-storage.ts";
import { type Box, openBox } from "./transfer-box.ts";

async function withTickets(storage: string) {
  const at = await openBox(storage);
  for (const id of ["z1", "m2", "a3"]) {
    await at.post("create_ticket", { id, subject: `Ticket ${id}` });
    await at.clock.advance(60);
  }
  return at;
}

const left = async ({ admin }: Box): Promise<readonly string[]> =>
  (await admin.get("search_tickets/v1?query=*&limit=50")).body.rows.map(({ id }: { id: string }) => id).toSorted();

async function remove(at: Box, items: readonly object[]) {
  const { body } = await at.post("admin_delete_data", { items });
  await at.until(() => !at.cradle.internalJobs.list().some(({ id }) => id === body.id));
  return body;
}

describe.each(ONE_STORAGE)("a deletion over %s", (storage) => {
  test("deletes the newest of a number of rows, whatever their ids are", async () => {
    const at = await withTickets(storage);
    await remove(at, [{ type: "index", index: "tickets", max_rows: 1 }]);
    expect(await left(at)).toEqual(["m2", "z1"]);
    await remove(at, [{ type: "index", index: "tickets" }]);
    expect(await left(at)).toEqual([]);
  });

  test.each([
    [{ type: "index", index: "tickets", query: "status:open modified:>soon" }, "Not understood: modified >soon"],
    [{ type: "ticketFiles", query: "status:open modified:>soon" }, "Not understood: modified >soon"],
    [{ type: "jobFiles", query: "evnt:e1" }, "Not understood: evnt e1"],
    [{ type: "monitorData", query: "created:soon" }, "Not understood: created soon"],
  ])("with a query that is not fully understood deletes nothing: %j", async (item, reason) => {
    const at = await withTickets(storage);
    expect(await remove(at, [{ type: "list", key: "global/tags" }, item])).toEqual({
      code: "admin",
      description: `Failed DB search: ${reason}`,
    });
    expect(await left(at)).toHaveLength(3);
    expect((await at.admin.get("get_global_state/v1")).body.state.scheduler).toEqual({ enabled: true });
  });

  test("reports no valid member of an item as unknown", async () => {
    const at = await withTickets(storage);
    const items = [
      { type: "index", index: "tickets", query: "status:closed", max_rows: 5 },
      { type: "jobFiles", logs: false, max_size: 9 },
    ];
    expect(await remove(at, items)).toEqual({ code: 0, id: expect.any(String) });
    const misspelt = await remove(at, [{ type: "index", index: "tickets", quer: "status:closed", max_rows: 1 }]);
    expect(misspelt).toMatchObject({ code: 0, unknown: ["items.0.quer"] });
  });

  test("deletes servers with all their stored data, and keeps connected ones", async () => {
    const at = await openBox(storage);
    const stays = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
    const leaves = await at.agent.connect({ hostname: "s2.example.internal", id: "s2" });
    for (const server of [stays, leaves]) {
      const stored = at.next("server.minute");
      server.send("monitor", { version: "1.0", date: at.clock.now(), data: { load: [1, 1, 1] } });
      await stored;
    }
    leaves.close();
    await at.until(async () => (await at.admin.get("get_active_servers/v1")).body.rows.length === 1);
    const deleted = at.next("server.deleted");
    const { id } = await remove(at, [{ type: "index", index: "servers" }]);
    expect(await deleted).toMatchObject({ id: "s2", hostname: "s2.example.internal" });
    const { records } = await at.dump();
    for (const name of ["servers", "hosts"]) expect(Object.keys(records[name] ?? {}), name).toEqual(["s1"]);
    const report = await at.reportOf(id);
    expect(report).toContain("- rows of servers: 1");
    expect(report).toContain("Rows of servers that are in use stay: 1.");
  });

  test("does not uninstall a server that an import restores", async () => {
    const at = await openBox(storage);
    const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { title: "Kept" } });
    const { bytes } = await at.fetchExport("indexes=servers");
    const deleted = at.next("server.deleted");
    await at.post("delete_server", { id: "s1", history: true });
    await at.until(() => server.received.some(({ cmd }) => cmd === "uninstall"));
    server.close();
    await deleted;
    const answerTo = async () => {
      const link = at.agent.open();
      link.send("hello", { hostname: "s1.example.internal", id: "s1", info: {} });
      await at.until(() => link.received.length > 0);
      return link.received[0]?.cmd;
    };
    expect(await answerTo()).toBe("uninstall");
    expect((await at.importBytes(bytes)).report).toContain("- rows of servers: 1");
    expect((await at.admin.get("search_servers/v1?query=*")).body.rows).toMatchObject([{ id: "s1", title: "Kept" }]);
    expect(await answerTo()).toBe("hello");
  });
});
