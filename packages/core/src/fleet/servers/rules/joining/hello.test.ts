import { expect, test } from "vitest";
import handshake from "../../../../testing/fixtures/agent-handshake.json" with { type: "json" };
import captured from "../../../../testing/fixtures/agent-hello.json" with { type: "json" };
import { publicHostRecord } from "../shown/public.ts";
import { connectServer, refreshInfo, withCombo } from "./connect.ts";
import { Hello, initialMembers, normaliseHostname } from "./hello.ts";
import { eventPlugins, joinedData, monitorCommands } from "./joined.ts";
import { tokenKind } from "./tokens.ts";

test.each([
  ["Web01.Example.COM", "web01.example.com"],
  ["Zürich-01", "zurich-01"],
  ["../../etc/passwd", "....etcpasswd"],
  ["日本", ""],
])("the hostname %s is stored as %s", (given, expected) => {
  expect(normaliseHostname(given)).toBe(expected);
});

test.each([
  ["no hostname", {}],
  ["an empty hostname", { hostname: "" }],
  ["a hostname of 256 characters", { hostname: "h".repeat(256) }],
  ["an id with capitals", { hostname: "h", id: "S1" }],
  ["a reserved id", { hostname: "h", id: "constructor" }],
  ["info over 256 KiB", { hostname: "h", info: { a: "x".repeat(262_144) } }],
  ["info that is no object", { hostname: "h", info: [] }],
  ["no object at all", "hello"],
])("a hello with %s is refused", (_fact, data) => {
  expect(Hello.safeParse(data).success).toBe(false);
});

test("malformed bootstrap members count as absent and the others are read", () => {
  const hello = Hello.parse({
    hostname: "h",
    title: "<b>",
    enabled: 0,
    icon: "a b",
    groups: "web, db",
    maxJobs: -1,
    userData: { rack: 4 },
    created: 5,
  });
  expect(initialMembers(hello)).toEqual({ enabled: false, groups: ["web", "db"], userData: { rack: 4 } });
});

test("the captured join has the token of its nonce", () => {
  const [hello, join] = handshake.map(({ data }) => data as Record<string, string>);
  const [nonce, id, token] = [hello?.["nonce"] ?? "", hello?.["id"] ?? "", join?.["token"]];
  expect(tokenKind(token, { nonce, id, secretKey: "EXAMPLE_CLUSTER_KEY" })).toBe("cluster");
  expect(tokenKind(token, { nonce: "0", id, secretKey: "EXAMPLE_CLUSTER_KEY" })).toBeUndefined();
  expect(tokenKind(undefined, { nonce, id, secretKey: "EXAMPLE_CLUSTER_KEY" })).toBeUndefined();
});

test("tokens equal the contract's vectors", () => {
  const secretKey = "correct horse battery staple";
  const given = { nonce: "aabbccdd", id: "sexample0001", secretKey };
  expect(tokenKind("7c80b8da50a022c1b7164198b4db07fba493619bd9fb38f1fefce16b3c957f41", given)).toBe("cluster");
  expect(tokenKind("6691f202104f49447335a0cfd516a6f3c5016d7bf6241bbc95c28661b420af7c", given)).toBe("server");
});

const arrival = {
  id: "s1",
  hostname: "web01",
  ip: "10.0.0.1",
  socketId: "ws1",
  hello: Hello.parse(captured),
  now: 500,
};
const nothing = { groups: [], test: () => false };

test("a server that reconnects keeps its own members and updates its facts", () => {
  const stored = { ...connectServer(undefined, arrival, nothing), title: "Web", created: 5, info: { old: true } };
  const server = connectServer(stored, { ...arrival, ip: "10.0.0.2", now: 900 }, nothing);
  expect(server).toMatchObject({ title: "Web", created: 5, modified: 900, ip: "10.0.0.2" });
  expect(server.info).not.toHaveProperty("old");
});

test("keywords use unknown for missing parts", () => {
  expect(connectServer(undefined, { ...arrival, hostname: "web01.example.internal" }, nothing).keywords).toBe(
    "web01.example.internal,10.0.0.1,Linux,Debian GNU/Linux,12,x64,Intel,Xeon® Processor,Docker,unknown,unknown,unknown",
  );
});

test.each([
  [{ manufacturer: "Intel", brand: "Xeon" }, "Intel Xeon"],
  [{ manufacturer: "-", vendor: "AMD", brand: "EPYC" }, "AMD EPYC"],
  [{ manufacturer: "Unknown", vendor: "", brand: "X" }, "Unknown X"],
  [{}, "Unknown"],
])("the processor %j is called %s", (cpu, expected) => {
  expect(withCombo(cpu)["combo"]).toBe(expected);
});

test.each([
  ["takes over", { used: 2 }, { used: 2 }],
  ["keeps the former one in place of a list for", [2], { used: 1 }],
  ["keeps the former one in place of megabytes for", { used: 2, more: "x".repeat(262_145) }, { used: 1 }],
])("a minute %s its part of the facts", (_how, memory, expected) => {
  expect(refreshInfo({ memory: { used: 1 }, arch: "x64" }, { memory, mounts: {} })).toEqual({
    memory: expected,
    arch: "x64",
  });
});

test("a record of a minute is read with the short names of its parts and the name of the processor", () => {
  const cpu = { cores: 2, vendor: "Intel", brand: "Xeon" };
  const named = { ...cpu, combo: "Intel Xeon" };
  const data = { cpu, memory: { used: 1 }, mounts: { root: {} }, stats: { network: { conns: 3 } } };
  const record = { id: "s1", version: "1.0", date: 1, server: "s1", hostname: "h", ip: "i", groups: [], data };
  const { id: _id, ...rest } = record;
  expect(publicHostRecord({ privileges: { admin: true }, groups: [] }, record)).toEqual({
    ...rest,
    data: { ...data, cpu: named },
    cpu: named,
    mem: data.memory,
    disk: data.mounts,
    net: { conns: 3 },
  });
});

const plugins: Parameters<typeof monitorCommands>[0] = [
  { id: "shellplug", type: "event", command: "[shell-plugin]", enabled: 1 },
  { id: "open_files", type: "monitor", command: "/bin/sh", script: "true", enabled: true },
  { id: "off", type: "monitor", command: "/bin/sh", enabled: false },
  { id: "db_only", type: "monitor", command: "/bin/sh", enabled: true, groups: ["db"] },
];

test("agents get event plugins reduced to the members that they use", () => {
  expect(eventPlugins(plugins)).toEqual([{ id: "shellplug", type: "event", command: "[shell-plugin]", enabled: 1 }]);
});

test("agents get the enabled monitor plugins of their groups, each with a list of groups", () => {
  const facts = { secretsOf: () => ({}), identity: {} };
  const web = monitorCommands(plugins, { ...facts, groups: ["web"] });
  expect(web).toEqual([{ ...plugins[1], uid: "", gid: "", groups: [], sec: {} }]);
  const db = monitorCommands(plugins, { ...facts, groups: ["db"] });
  expect(db.map(({ id }) => id)).toEqual(["open_files", "db_only"]);
});

test("a monitor plugin is sent with its secrets, and not before they are decrypted", () => {
  const opened = (id: string) => (id === "db_only" ? { PIN: "1234" } : undefined);
  const told = monitorCommands(plugins, { groups: ["db"], secretsOf: opened, identity: {} });
  expect(told).toMatchObject([{ id: "db_only", sec: { PIN: "1234" } }]);
});

test("a monitor plugin runs as its own user and group, or as the configured ones", () => {
  const [, monitor] = plugins;
  if (!monitor) throw new Error("No monitor plugin");
  const facts = { groups: [], secretsOf: () => ({}), identity: { uid: "nobody", gid: 99 } };
  const owners = [{}, { uid: "", gid: "" }, { uid: "ops" }, { uid: 0, gid: "wheel" }];
  expect(
    monitorCommands(
      owners.map((owner) => ({ ...monitor, ...owner })),
      facts,
    ),
  ).toMatchObject([
    { uid: "nobody", gid: 99 },
    { uid: "nobody", gid: 99 },
    { uid: "ops", gid: 99 },
    { uid: 0, gid: "wheel" },
  ]);
});

test("the welcome says where to reconnect, and how jobs end", () => {
  const base = { airgap: undefined, groups: ["main"], plugins: [], secretsOf: () => ({}), identity: {}, numServers: 1 };
  const welcome = { ...base, own: [], agentConfig: { config: { port: 5522 } }, hosts: ["a", "b"] };
  expect(joinedData({ ...welcome, trusted: false })).toMatchObject({
    config: { port: 5522, airgap: { enabled: false } },
    masterData: { masters: ["a", "b"] },
    features: { api_finish_job: true },
  });
  expect(joinedData({ ...welcome, trusted: true })).toMatchObject({ features: { api_finish_job: false } });
});

test("the token of a job's event stream is not valid for a server with the same name", () => {
  const secretKey = "correct horse battery staple";
  const token = "9e4af19cf37c070c8ad18f157c830024348034bc8118f7b143acfc78af656fea";
  expect(tokenKind(token, { nonce: "aabbccdd", id: "streamjexample0001", secretKey })).toBeUndefined();
});
