import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fstatSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { platform } from "node:os";
import { expect, onTestFinished, test as plainTest } from "vitest";
import { linkNow, readPids } from "../read-host.ts";
import { createSocketOwners } from "./socket-owners.ts";

// Other systems have no `/proc`.
const test = plainTest.skipIf(platform() !== "linux");

/** Finds owners among this process and its running children, and counts the links that it reads. */
function counted() {
  const links = { read: 0, of: new Set<string | undefined>() };
  const owners = createSocketOwners({
    pids: async () => (await readPids()).filter((pid) => mine.has(pid)),
    link(path) {
      links.read += 1;
      links.of.add(/\d+/.exec(path)?.[0]);
      return linkNow(path);
    },
  });
  return { links, owners };
}

/** Only this process: others on a busy machine may have more open files than the bound allows. */
const mine = new Set([String(process.pid)]);

async function listen(): Promise<string> {
  const server: Server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  return String(fstatSync(fd).ino);
}

const PROGRAM = `
  const server = require("node:net").createServer().listen(0, "127.0.0.1", () =>
    console.log(require("node:fs").fstatSync(server._handle.fd).ino));
`;

async function elsewhere(): Promise<{ readonly child: ChildProcess; readonly inode: string }> {
  const child = spawn(process.execPath, ["-e", PROGRAM], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  mine.add(String(child.pid));
  const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  return { child, inode: String(line).trim() };
}

test("a socket is assigned to the process that holds it", async () => {
  const { owners } = counted();
  const inode = await listen();
  expect((await owners(new Set([inode, "1"]))).get(inode)).toBe(String(process.pid));
});

test("an owner is searched for once, and again as soon as there is another socket", async () => {
  const { links, owners } = counted();
  const inode = await listen();
  await owners(new Set([inode]));
  const first = links.read;
  expect(first).toBeGreaterThan(0);
  expect((await owners(new Set([inode]))).get(inode)).toBe(String(process.pid));
  expect(links.read).toBe(first);
  const second = await listen();
  const both = await owners(new Set([inode, second]));
  expect([both.get(inode), both.get(second)]).toEqual([String(process.pid), String(process.pid)]);
  expect(links.read).toBeGreaterThan(first);
});

test("a socket without an owner is searched for again with the next new socket", async () => {
  const { links, owners } = counted();
  expect((await owners(new Set(["1"]))).get("1")).toBeUndefined();
  const first = links.read;
  await owners(new Set(["1"]));
  expect(links.read).toBe(first);
  const inode = await listen();
  const { child, inode: other } = await elsewhere();
  const found = await owners(new Set(["1", inode, other]));
  expect([found.get("1"), found.get(inode), found.get(other)]).toEqual([
    undefined,
    String(process.pid),
    String(child.pid),
  ]);
});

test("a socket is searched for first where sockets were, and nowhere else once it is found", async () => {
  const { links, owners } = counted();
  const { child, inode: other } = await elsewhere();
  expect((await owners(new Set([other, "1"]))).get(other)).toBe(String(child.pid));
  links.of.clear();
  const added = await elsewhere();
  expect((await owners(new Set([other, "1", added.inode]))).get(added.inode)).toBe(String(added.child.pid));
  expect(links.of).toEqual(new Set([String(child.pid), String(added.child.pid)]));
});

test("a socket that no process holds any more is not searched for", async () => {
  const { links, owners } = counted();
  expect([...(await owners(new Set(["0"])))]).toEqual([]);
  expect(links.read).toBe(0);
});

test("an owner that has ended is forgotten", async () => {
  const { links, owners } = counted();
  const { child, inode } = await elsewhere();
  expect((await owners(new Set([inode]))).get(inode)).toBe(String(child.pid));
  const first = links.read;
  child.kill("SIGKILL");
  await once(child, "exit");
  expect((await owners(new Set([inode]))).get(inode)).toBeUndefined();
  expect(links.read).toBeGreaterThan(first);
});
