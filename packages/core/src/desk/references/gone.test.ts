import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { join } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const line = { id: "line", title: "Line", type: "tcp", host: "192.0.2.1", port: 443 } as const;
const rule = { title: "Rule", expression: "temp > 50", message: "hot" };

/** Removes a server permanently. */
async function remove({ clock, signalbox }: Fleet, agent: { close(): void }, id: string): Promise<void> {
  agent.close();
  await signalbox.api.deleteServer({ id, history: true });
  await clock.advance(90);
  expect((await signalbox.api.searchServers({ query: "*", limit: 10 })).rows.map((row) => row.id)).not.toContain(id);
}

describe("a record that names a deleted record can be changed:", () => {
  test("an alert that depended on another alert", async () => {
    const { api } = (await start()).signalbox;
    await api.createAlert({ ...rule, id: "above" });
    await api.createAlert({ ...rule, id: "below", depends_on: ["above"], inhibits: ["above"] });
    await api.deleteAlert({ id: "above" });
    await api.updateAlert({ id: "below", enabled: false });
    const { alert } = await api.updateAlert({ id: "below", depends_on: ["above"] });
    expect(alert).toMatchObject({ enabled: false, depends_on: ["above"] });
    expect(await refusalOf(api.updateAlert({ id: "below", depends_on: ["above", "other"] }))).toEqual({
      code: "alert",
      description: "Unknown alert in depends_on: other",
    });
  });

  test("a check that was run from a group, for a server", async () => {
    const fleet = await start();
    const { api } = fleet.signalbox;
    const agent = await join(fleet, "s1");
    await api.createGroup({ id: "web", title: "Web", hostname_match: "web" });
    await api.createCheck({ ...line, server: "s1", from: ["engine", "web"] });
    await api.deleteGroup({ id: "web" });
    await remove(fleet, agent, "s1");
    const { check } = await api.updateCheck({ id: "line", enabled: false });
    await api.updateCheck({ ...check, title: "Sent back as a whole" } as never);
    expect(await refusalOf(api.updateCheck({ id: "line", from: ["web", "db"] }))).toEqual({
      code: "check",
      description: "Server or group not found: db",
    });
    expect(await refusalOf(api.updateCheck({ id: "line", server: "s2" }))).toEqual({
      code: "check",
      description: "Server not found: s2",
    });
  });

  test("a heartbeat of a server", async () => {
    const fleet = await start();
    const { api } = fleet.signalbox;
    const agent = await join(fleet, "s1");
    await api.createHeartbeat({ id: "copy", title: "Copy", every: 60, server: "s1" });
    await remove(fleet, agent, "s1");
    expect((await api.updateHeartbeat({ id: "copy", enabled: false })).heartbeat.enabled).toBe(false);
    expect(await refusalOf(api.updateHeartbeat({ id: "copy", server: "s2" }))).toMatchObject({ code: "heartbeat" });
  });

  test("a server that depends on another", async () => {
    const fleet = await start();
    const { api } = fleet.signalbox;
    const agent = await join(fleet, "s1");
    await join(fleet, "s2");
    await api.updateServer({ id: "s2", depends_on: ["s1"] });
    await remove(fleet, agent, "s1");
    expect((await api.updateServer({ id: "s2", title: "Two", depends_on: ["s1"] })).server.title).toBe("Two");
    expect(await refusalOf(api.updateServer({ id: "s2", depends_on: ["s1", "s9"] }))).toMatchObject({ code: "server" });
  });
});
