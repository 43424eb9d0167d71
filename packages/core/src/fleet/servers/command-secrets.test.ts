import { expect, test } from "vitest";
import { useFleets } from "../../../test/fleet/fleet.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";

const start = useFleets();
const plugin = { id: "balance", title: "Balance", type: "monitor", command: "/bin/sh", script: "true", enabled: true };
const secret = { id: "bank", title: "Bank", plugins: ["balance"], fields: [{ name: "PIN", value: "1234" }] };

type Command = { readonly id: string; readonly sec: unknown; readonly uid: unknown; readonly gid: unknown };
/** Secrets of the commands that the server was last told to run, by id of the command. */
function commandsOf({ received }: ScriptedServer): Map<string, unknown> {
  const told = received.flatMap(({ data }) => (data as { commands?: readonly Command[] }).commands ?? []);
  return new Map(told.map(({ id, sec }) => [id, sec]));
}

test("a server that joins gets its monitor plugins with their secrets", async () => {
  const { agent, signalbox } = await start();
  await signalbox.api.createPlugin({ ...plugin, groups: ["main"] } as never);
  await signalbox.api.createSecret(secret);
  const server = await agent.connect({ hostname: "web01" });
  await expect.poll(() => commandsOf(server).get("balance")).toEqual({ PIN: "1234" });
  expect(commandsOf(server).get("open_files")).toEqual({});
  // It must not run without its secrets, not even for a moment.
  const joined = (await server.message("joined")).data as { commands: readonly Command[] };
  expect(joined.commands.map(({ id }) => id)).toEqual(["open_files"]);
});

test("monitor plugins without a user and a group of their own run as the configured ones", async () => {
  const config = { default_plugin_credentials: { monitor: { uid: "nobody", gid: 99 } } };
  const { agent, signalbox } = await start({ config });
  await signalbox.api.createPlugin({ ...plugin, uid: "ops" } as never);
  const server = await agent.connect({ hostname: "web01" });
  const ownersIn = (data: unknown) =>
    Object.fromEntries((data as { commands: readonly Command[] }).commands.map(({ id, uid, gid }) => [id, [uid, gid]]));
  const owners = { open_files: ["nobody", 99], balance: ["ops", 99] };
  expect(ownersIn((await server.message("joined")).data)).toEqual(owners);
  await signalbox.api.updatePlugin({ id: "balance", title: "Other" });
  await expect
    .poll(() => server.received.filter(({ cmd }) => cmd === "update").map(({ data }) => ownersIn(data)))
    .toEqual([owners]);
});

test("another configured user is sent at once", async () => {
  const { agent, signalbox } = await start();
  const server = await agent.connect({ hostname: "web01" });
  const users = () => server.received.flatMap(({ data }) => (data as { commands?: readonly Command[] }).commands ?? []);
  expect(users().map(({ uid }) => uid)).toEqual([""]);
  await signalbox.api.adminUpdateConfig({ "default_plugin_credentials.monitor.uid": "nobody" });
  await expect.poll(() => users().map(({ uid }) => uid)).toEqual(["", "nobody"]);
});

test("each write of a secret sends the monitor plugins again", async () => {
  const { agent, signalbox } = await start();
  const server = await agent.connect({ hostname: "web01" });
  const updates = () => server.received.filter(({ cmd }) => cmd === "update").map(({ data }) => data);
  const update = { commands: [expect.objectContaining({ id: "open_files", sec: {} })] };
  await signalbox.api.createSecret({ id: "other", title: "Other", fields: [{ name: "A", value: "1" }] });
  await expect.poll(updates).toEqual([update]);
  await signalbox.api.updateSecret({ id: "other", notes: "x" });
  await expect.poll(updates).toEqual([update, update]);
  await signalbox.api.deleteSecret({ id: "other" });
  await expect.poll(updates).toEqual([update, update, update]);
});

test("secrets of plugins that a server does not run are never sent to it", async () => {
  const { agent, signalbox } = await start();
  await signalbox.api.createPlugin({ ...plugin, groups: ["elsewhere"] } as never);
  await signalbox.api.createSecret(secret);
  const server = await agent.connect({ hostname: "web01" });
  const updates = (): number => server.received.filter(({ cmd }) => cmd === "update").length;
  const before = updates();
  await signalbox.api.updateSecret({ id: "bank", title: "Other bank" });
  await expect.poll(updates).toBeGreaterThan(before);
  expect(JSON.stringify(server.received)).not.toContain("1234");
});

test("a secret that a server had before is removed from it again", async () => {
  const { agent, signalbox } = await start();
  await signalbox.api.createPlugin(plugin as never);
  await signalbox.api.createSecret(secret);
  const server = await agent.connect({ hostname: "web01" });
  await expect.poll(() => commandsOf(server).get("balance")).toEqual({ PIN: "1234" });
  await signalbox.api.deleteSecret({ id: "bank" });
  await expect.poll(() => commandsOf(server).get("balance")).toEqual({});
});

test("a changed secret is sent at once, and a removed one is deleted", async () => {
  const { agent, signalbox } = await start();
  await signalbox.api.createPlugin(plugin as never);
  const server = await agent.connect({ hostname: "web01" });
  await signalbox.api.createSecret(secret);
  await expect.poll(() => commandsOf(server).get("balance")).toEqual({ PIN: "1234" });
  await signalbox.api.updateSecret({ id: "bank", fields: [{ name: "PIN", value: "9876" }] });
  await expect.poll(() => commandsOf(server).get("balance")).toEqual({ PIN: "9876" });
  await signalbox.api.deleteSecret({ id: "bank" });
  await expect.poll(() => commandsOf(server).get("balance")).toEqual({});
});
