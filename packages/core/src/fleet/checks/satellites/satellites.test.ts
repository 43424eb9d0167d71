import { expect, test } from "vitest";
import { refusalOf } from "../../../../test/engine.ts";
import { join, without } from "../../../../test/fleet/alert-setup.ts";
import { type Fleet, limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import type { ScriptedServer } from "../../../testing/scripted-agent.ts";

const start = useFleets();
const shop = { id: "shop", title: "Shop", type: "tcp" as const, host: "192.0.2.1", port: 25, from: ["s1"] };

interface Command {
  readonly id: string;
  readonly script: string;
  readonly timeout: number;
  readonly groups: readonly string[];
  readonly sec: object;
}

/** The lists of monitor plugins that a server received, newest last. */
const given = ({ received }: ScriptedServer): Command[][] =>
  received.flatMap(({ data }) => {
    const { commands } = (data ?? {}) as { commands?: Command[] };
    return commands ? [commands] : [];
  });
const own = (server: ScriptedServer): Command | undefined =>
  given(server)
    .at(-1)
    ?.find(({ id }) => id === "signalbox_checks");
const ordersOf = (server: ScriptedServer): { checks: { id: string; minutes: number }[]; open: string[] } =>
  JSON.parse(/^const ORDER = (.*);$/m.exec(own(server)?.script ?? "")?.[1] ?? "{}");

async function setUp(config: object = {}) {
  const fleet = await start({ config: { ...without, ...config } });
  const servers = { s1: await join(fleet, "s1"), s2: await join(fleet, "s2") };
  return { fleet, ...servers, api: fleet.signalbox.api };
}
const deliver = ({ clock }: Fleet) => clock.advance(60);

test("a satellite gets only the checks that name it, without the rules for answers", async () => {
  const { fleet, s1, s2, api } = await setUp({ checks: { allow: ["169.254.7.0/24", "intern.example.com"] } });
  await api.createCheck({ ...shop, max_ms: 777, notes: "ours alone" });
  await api.createCheck({ ...shop, id: "here", from: ["engine"] });
  await deliver(fleet);
  expect(own(s1)).toMatchObject({ format: "json", command: "/bin/sh", groups: [], sec: {}, timeout: 15 });
  expect(own(s1)?.script).not.toMatch(/777|ours alone|Shop/);
  expect(ordersOf(s1)).toMatchObject({ checks: [{ id: "shop", minutes: 1 }], open: ["169.254.7.0/24"] });
  expect(own(s2)).toBeUndefined();
  const before = given(s1).length;
  await deliver(fleet);
  expect(given(s1)).toHaveLength(before);
  await api.updateCheck({ id: "shop", from: ["s2"] });
  await deliver(fleet);
  expect([own(s1), ordersOf(s2).checks.length]).toEqual([undefined, 1]);
  expect((await api.updateCheck({ id: "shop", from: [] })).check.from).toBeNull();
  expect(own(s2)).toBeUndefined();
});

test("no satellite runs checks while the monitor plugin is disabled", async () => {
  const { fleet, s1, api } = await setUp();
  await api.createCheck(shop);
  await api.updatePlugin({ id: "signalbox_checks", enabled: false });
  await deliver(fleet);
  expect(own(s1)).toBeUndefined();
  await api.updatePlugin({ id: "signalbox_checks", enabled: true });
  await deliver(fleet);
  expect(own(s1)).toBeDefined();
});

test("a server that sends no results is named in the check's record, until it does", async () => {
  const { fleet, s1, api } = await setUp();
  await api.createCheck({ ...shop, every: 300 });
  await deliver(fleet);
  const places = async () => (await api.getCheck({ id: "shop" })).places;
  await fleet.minute(s1, {});
  expect(await places()).toEqual([]);
  await fleet.minute(s1, {});
  await fleet.minute(s1, { commands: { signalbox_checks: "Error: There is no Node on this machine" } });
  await fleet.settle();
  expect(await places()).toMatchObject([{ place: "s1", note: "Server does not run checks: s1", fresh: false }]);
  await fleet.minute(s1, { commands: { signalbox_checks: {} } });
  await fleet.settle();
  expect((await places())[0]).not.toHaveProperty("note");
});

test("a failure below the number of retries is checked again with the next minute", async () => {
  const { fleet, s1, api } = await setUp();
  await api.createCheck({ ...shop, every: 600, retries: 1 });
  await deliver(fleet);
  const bad = { shop: { ms: 3, blocked: false, code: "ECONNREFUSED", text: "Refused" } };
  expect(ordersOf(s1).checks).toMatchObject([{ minutes: 10 }]);
  await fleet.minute(s1, { commands: { signalbox_checks: bad } });
  await fleet.settle();
  expect(ordersOf(s1).checks).toMatchObject([{ minutes: 1 }]);
  await fleet.minute(s1, { commands: { signalbox_checks: bad } });
  await fleet.settle();
  expect(ordersOf(s1).checks).toMatchObject([{ minutes: 10 }]);
  expect(await api.getCheck({ id: "shop" })).toMatchObject({ down: true, failures: 2 });
});

test.each<[string, unknown]>([
  ["a text", "all fine"],
  ["an invalid time", { ms: -1, words: [], heard: false }],
  ["an unknown reason", { ms: 1, words: ["<b>"], heard: true }],
  ["a sentence without an end", { ms: 1, blocked: false, text: "x".repeat(301) }],
])("%s instead of an answer is a failure that says so", async (_which, told) => {
  const { fleet, s1, api } = await setUp();
  await api.createCheck(shop);
  await deliver(fleet);
  await fleet.minute(s1, { commands: { signalbox_checks: { shop: told, other: told } } });
  await fleet.settle();
  const { results } = await api.getCheck({ id: "shop" });
  expect(results).toMatchObject([{ ok: false, reason: "answer", text: "The server told nothing that can be read." }]);
});

test("results of a server for checks that it does not run are ignored", async () => {
  const { fleet, s2, api } = await setUp();
  await api.createCheck(shop);
  await deliver(fleet);
  await fleet.minute(s2, { commands: { signalbox_checks: { shop: { ms: 1, words: [], heard: false } } } });
  await fleet.settle();
  expect((await api.getCheck({ id: "shop" })).results).toEqual([]);
});

test("places must exist, within the reach of the writer, and a trial does not use them", async () => {
  const { fleet, api } = await setUp();
  await api.createGroup({ id: "web", title: "Web", hostname_match: "^none$" });
  const refused = (members: object) => refusalOf(api.createCheck({ ...shop, ...members } as never));
  expect(await refused({ from: ["gone"] })).toEqual({ code: "check", description: "Server or group not found: gone" });
  const { privileges, ...limited } = limitedTo("web");
  const writer = fleet.signalbox.as({ ...limited, privileges: { ...privileges, manage_checks: true } });
  expect(await refusalOf(writer.createCheck(shop))).toMatchObject({ code: "access" });
  await writer.createCheck({ ...shop, from: ["web"] });
  expect(await refusalOf(api.testCheck({ id: "shop" }))).toEqual({
    code: "check",
    description: "Only servers ask this check; the next answers come with their minutes.",
  });
});
