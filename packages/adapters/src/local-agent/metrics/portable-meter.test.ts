import { type LogFields, silentLogger } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import type { Section } from "./host-meter.ts";
import { portableMeter } from "./portable-meter.ts";

const section: Section = (_, work) => work();

test("without the optional package the basics are measured, and the log names the package once", async () => {
  const warnings: string[] = [];
  const meter = portableMeter({
    log: { ...silentLogger, warn: (_: LogFields, message) => warnings.push(message) },
    load: async () => {
      throw new Error("Cannot find package");
    },
  });
  const sample = await meter.minute(section);
  await meter.minute(section);
  expect(sample["memory"]).toMatchObject({ total: expect.any(Number), used: expect.any(Number) });
  expect(sample["cpu"]).toMatchObject({ cores: expect.any(Number), totals: { idle: 100 } });
  expect(sample["mounts"]).toMatchObject({ root: { size: expect.any(Number) } });
  expect(sample["processes"]).toEqual({ all: 0, list: [] });
  expect(sample["conns"]).toEqual([]);
  expect(warnings).toEqual([
    "Package systeminformation is not installed: disks, connections and processes are not measured",
  ]);
});

test("the package fills in disks, network, connections and processes", async () => {
  const meter = portableMeter({
    log: silentLogger,
    load: async () => ({
      fsSize: async () => [{ fs: "/dev/disk1", type: "apfs", mount: "/", size: 10, use: 50 }],
      disksIO: async () => ({ rIO: 1, wIO: 2, tIO: 3 }),
      fsStats: async () => ({ rx: 5, wx: 6 }),
      networkStats: async () => [
        { iface: "en0", rx_bytes: 1, tx_bytes: 2 },
        { iface: "en1", rx_bytes: 10, tx_bytes: 20 },
      ],
      networkConnections: async () => [{ state: "LISTEN" }],
      processes: async () => ({ all: 2, running: 1, list: [{ pid: 1 }, { pid: 2 }] }),
    }),
  });
  expect(await meter.minute(section)).toMatchObject({
    mounts: { root: { type: "apfs", use: 50 } },
    stats: { io: { tIO: 3 }, fs: { rx: 5 }, network: { ifaces: ["en0", "en1"], rx_bytes: 11, tx_bytes: 22 } },
    conns: [{ state: "LISTEN" }],
    processes: { all: 2, running: 1, list: [{ pid: 1 }, { pid: 2 }] },
  });
  expect(await meter.quick()).toMatchObject({ fs: { rx: 5, wx: 6 }, net: { rx: 11, tx: 22 } });
});

test("a reading that fails is left out, and logged by name", async () => {
  const warnings: LogFields[] = [];
  const meter = portableMeter({
    log: { ...silentLogger, warn: (fields) => warnings.push(fields) },
    load: async () => ({
      fsStats: async () => {
        throw new Error("not here");
      },
    }),
  });
  expect(await meter.quick()).toMatchObject({ fs: { rx: 0, wx: 0 }, net: { rx: 0, tx: 0 } });
  expect(warnings).toMatchObject([{ reading: "fsStats" }]);
});
