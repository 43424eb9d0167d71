import { expect, test } from "vitest";
import {
  commandOf,
  coreShare,
  parseAuxv,
  parseNames,
  parseProcessStat,
  processInfo,
  ttyName,
} from "./process-table.ts";

const PROCESS =
  "4223 (my (odd) name) S 4213 4213 3381 34817 -1 4194304 103 0 0 0 150 50 0 0 20 0 3 0 167726 3133440 416 18446744073709551615 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0";

const units = { ticksPerSec: 100, pageBytes: 4096, bootTime: 1_795_259_935, cores: 2, memoryTotal: 8_000_000 };

test("a process is read although its name contains brackets and blanks", () => {
  const stat = parseProcessStat(PROCESS);
  expect(stat).toMatchObject({
    pid: 4223,
    comm: "my (odd) name",
    state: "S",
    ppid: 4213,
    ticks: 200,
    threads: 3,
    rss: 416,
  });
  expect(parseProcessStat("")).toBeUndefined();
});

test("a process is shown in bytes, seconds and percent of the machine", () => {
  const stat = parseProcessStat(PROCESS);
  if (!stat) throw new Error("not read");
  const nowSec = units.bootTime + 1677.26 + 10;
  const share = coreShare(stat, undefined, { nowSec, units });
  expect(share).toBeCloseTo(20);
  expect(coreShare(stat, { ticks: 100, at: nowSec - 2 }, { nowSec, units })).toBeCloseTo(50);
  expect(processInfo(stat, { command: "x", user: "root", group: "root", share }, { nowSec, units })).toMatchObject({
    pid: 4223,
    parentPid: 4213,
    cpu: 10,
    memRss: 1_703_936,
    memVsz: 3_133_440,
    mem: 21.2,
    age: 10,
    state: "Sleeping",
    priority: 19,
    tty: "pts/1",
    time: 2,
    started: 1_795_261_612,
  });
});

test("commands of kernel threads and zombies are their names in brackets", () => {
  const stat = parseProcessStat(PROCESS);
  if (!stat) throw new Error("not read");
  expect(commandOf(["sleep", "300", ""].join("\0"), stat)).toBe("sleep 300");
  expect(commandOf("", stat)).toBe("[my (odd) name]");
  expect(commandOf("x\0", { ...stat, state: "Z" })).toBe("[my (odd) name] <defunct>");
  expect(commandOf("x".repeat(5000), stat)).toHaveLength(1024);
});

test("terminals, names and units of the kernel are read", () => {
  expect([0, 1025, 34_816, 35_071].map(ttyName)).toEqual(["?", "tty1", "pts/0", "pts/255"]);
  expect(parseNames("root:x:0:0::/root:/bin/sh\nbroken\nwww-data:x:33:33::/:/x\n")).toEqual(
    new Map([
      [0, "root"],
      [33, "www-data"],
    ]),
  );
  const auxv = Buffer.alloc(48);
  auxv.writeBigUInt64LE(6n, 0);
  auxv.writeBigUInt64LE(16_384n, 8);
  auxv.writeBigUInt64LE(17n, 16);
  auxv.writeBigUInt64LE(250n, 24);
  expect(parseAuxv(auxv)).toEqual({ pageBytes: 16_384, ticksPerSec: 250 });
  expect(parseAuxv(Buffer.alloc(3))).toEqual({ pageBytes: 4096, ticksPerSec: 100 });
});
