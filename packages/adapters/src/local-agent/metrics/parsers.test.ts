import { expect, test } from "vitest";
import { cpuUsage, parseCpuTable } from "./cpu-usage.ts";
import { type DiskCounters, deviceRows, fsStats, ioStats, sumDisks } from "./disks/disk-io.ts";
import { mountKey, parseMounts, usageOf } from "./disks/mounts.ts";
import { parseCpuInfo, parseOsRelease } from "./host-facts.ts";
import { helloMemory, parseMemory } from "./memory.ts";
import { parseSocket } from "./network/connections.ts";
import {
  externalNames,
  networkRates,
  parseDefaultInterface,
  parseNetworkTable,
  sumNetwork,
} from "./network/network-counters.ts";

const STAT = `cpu  1987 0 2095 330293 126 0 31 12 0 0
cpu0 745 0 882 165651 6 0 7 4 0 0
cpu1 1241 0 1213 164642 120 0 24 7 0 0
intr 244991 0 0
btime 1795259935
processes 4227
`;

const STAT_LATER = `cpu  2087 0 2145 330343 126 0 31 12 0 0
cpu0 845 0 882 165651 6 0 7 4 0 0
cpu1 1241 0 1263 164692 120 0 24 7 0 0
btime 1795259935
`;

test("processor shares apply to the time between two readings", () => {
  const usage = cpuUsage(parseCpuTable(STAT_LATER), parseCpuTable(STAT));
  expect(usage.cpus[0]).toMatchObject({ user: 100, system: 0, idle: 0, active: 100 });
  expect(usage.cpus[1]).toMatchObject({ user: 0, system: 50, idle: 50, active: 50 });
  expect(usage.totals).toMatchObject({ user: 50, system: 25, idle: 25, active: 75 });
  expect(usage.currentLoad).toBe(75);
});

test("without an earlier reading, or with the same one, all is idle", () => {
  const table = parseCpuTable(STAT);
  expect(table.bootTime).toBe(1_795_259_935);
  for (const before of [undefined, table])
    expect(cpuUsage(table, before)).toMatchObject({ currentLoad: 0, totals: { idle: 100, active: 0 }, cpus: [{}, {}] });
});

test("memory is in bytes under lower-case names", () => {
  const memory = parseMemory(
    "MemTotal:       24684084 kB\nMemFree:        24537080 kB\nMemAvailable:   24445436 kB\nBuffers: 1152 kB\nCached: 30788 kB\nActive(anon): 5 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\nHugePages_Total:       3\nHugepagesize:       2048 kB\n",
  );
  expect(memory).toEqual({
    total: 25_276_502_016,
    free: 25_125_969_920,
    available: 25_032_126_464,
    used: 244_375_552,
    buffers: 1_179_648,
    cached: 31_526_912,
    swaptotal: 10_240,
    swapfree: 4096,
    hugepages_total: 3,
    hugepagesize: 2_097_152,
  });
  expect(helloMemory(memory)).toMatchObject({ used: 150_532_096, active: 244_375_552, swapused: 6144, slab: 0 });
});

test("kernels that do not name available memory get an estimate", () => {
  expect(parseMemory("MemTotal: 100 kB\nMemFree: 10 kB\nBuffers: 5 kB\nCached: 20 kB\n")).toMatchObject({
    available: 35 * 1024,
    used: 65 * 1024,
  });
});

const DISKS = `   7       0 loop0 9 0 9 0 0 0 0 0 0 0 0
 254       0 vda 9770 5005 1285106 5287 1806 20213 1669208 4197 0 2068 9678 3137 48 41544 193 4 0
 254       1 vda1 9000 5005 1285106 5287 1806 20213 1669208 4197 0 2068 9678
 252       0 dm-0 9770 0 1285106 0 0 0 0 0 0 0 0
`;

const countersOf = (text: string, disks: readonly string[]): DiskCounters =>
  sumDisks(text, deviceRows(text), new Set(disks));

test("disk counters are sums over whole disks, stacked devices not counted twice", () => {
  const counters = countersOf(DISKS, ["loop0", "vda", "dm-0"]);
  expect(counters).toEqual({
    reads: 9770,
    writes: 1806,
    readMs: 5287,
    writeMs: 4197,
    queueMs: 9678,
    readBytes: 1_285_106 * 512,
    writtenBytes: 1_669_208 * 512,
  });
});

test("disk rates are per second, null at first and after a reset", () => {
  const before = countersOf(DISKS, ["vda"]);
  const now = {
    ...before,
    reads: before.reads + 100,
    writtenBytes: before.writtenBytes + 5000,
    writeMs: before.writeMs + 500,
  };
  expect(ioStats(now, before, 2000)).toMatchObject({
    rIO_sec: 50,
    wIO_sec: 0,
    tIO_sec: 50,
    wWaitPercent: 25,
    ms: 2000,
  });
  expect(fsStats(now, before, 2000)).toMatchObject({ wx_sec: 2500, rx_sec: 0, tx_sec: 2500 });
  expect(ioStats(now, undefined, 0)).toMatchObject({ rIO_sec: null, tWaitPercent: null, ms: 0 });
  expect(fsStats(before, now, 1000)["wx_sec"]).toBeNull();
});

const NETWORK = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:    3193      29    0    0    0     0          0         0     3193      29    0    0    0     0       0          0
docker0: 7 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0
  eth0: 249458089    6242    1    2    0     0          0         0   435932    3855    3    4    0     0       0          0
eth1:5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0
`;

test("network counters are sums over the interfaces that lead outside", () => {
  const table = parseNetworkTable(NETWORK);
  expect(table.get("eth0")).toEqual({
    rx_bytes: 249_458_089,
    rx_errors: 1,
    rx_dropped: 2,
    tx_bytes: 435_932,
    tx_errors: 3,
    tx_dropped: 4,
  });
  const names = externalNames(table);
  expect(names).toEqual(["eth0", "eth1"]);
  const sum = sumNetwork(table, names);
  expect(sum).toMatchObject({ rx_bytes: 249_458_094, tx_bytes: 435_938 });
  expect(networkRates(sum, { ...sum, rx_bytes: sum.rx_bytes - 100 }, 500)).toMatchObject({ rx_sec: 200, tx_sec: 0 });
});

test("the default route names its interface", () => {
  const text = "Iface\tDestination\tGateway\tFlags\neth1\t000200C0\t00000000\t0001\neth0\t00000000\t010200C0\t0003\n";
  expect(parseDefaultInterface(text)).toBe("eth0");
  expect(parseDefaultInterface("Iface\tDestination\n")).toBeUndefined();
});

test.each([
  [
    "   0: 00000000:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1145 1 0 100 0 0 10 0",
    "LISTEN",
    "0.0.0.0:2024",
    "0.0.0.0:*",
  ],
  [
    "   1: 0100007F:1F90 0B00140A:9B5C 01 00000000:00000000 00:00000000 00000000     0        0 1146 1 0",
    "ESTABLISHED",
    "127.0.0.1:8080",
    "10.20.0.11:39772",
  ],
  [
    "   2: 00000000000000000000000001000000:0016 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 1147 1",
    "LISTEN",
    "[::1]:22",
    "[::]:*",
  ],
  [
    "   3: 0000000000000000FFFF00000100007F:0050 B80D0120000000000000000001000000:01BB 06 0:0 00:0 0 0 0 0 1",
    "TIME_WAIT",
    "127.0.0.1:80",
    "[2001:db8::1]:443",
  ],
])("a row of the socket table is read: %#", (line, state, local_addr, remote_addr) => {
  expect(parseSocket(line)).toMatchObject({ type: "tcp", state, local_addr, remote_addr });
});

test("the heading of the socket table is not a socket", () => {
  expect(
    parseSocket("  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"),
  ).toBeUndefined();
  expect(parseSocket("")).toBeUndefined();
});

test("mounts are the file systems that hold data", () => {
  const text = `proc /proc proc rw,relatime 0 0
overlay / overlay rw,relatime 0 0
tmpfs /run tmpfs rw 0 0
/dev/vda1 /var/lib\\040data ext4 ro,noatime 0 0
/dev/vda1 /etc/hosts ext4 rw 0 0
nas:/export /mnt/nas nfs4 rw 0 0
/dev/loop3 /snap/core squashfs ro 0 0
tank/data /tank zfs rw 0 0
`;

  expect(parseMounts(text).map(({ mount, rw }) => [mountKey(mount), rw])).toEqual([
    ["root", true],
    ["var_lib_data", false],
    ["mnt_nas", true],
    ["tank", true],
  ]);
});

test("the use of a mount is calculated as for ordinary users", () => {
  const mount = { fs: "/dev/vda", type: "ext4", mount: "/", rw: true };
  expect(usageOf(mount, { bsize: 4096, blocks: 66_053_021, bfree: 57_485_480, bavail: 18_030_092 })).toEqual({
    ...mount,
    size: 270_553_174_016,
    used: 35_092_647_936,
    available: 73_851_256_832,
    use: 32.21,
  });
  expect(usageOf(mount, { bsize: 1, blocks: 0, bfree: 0, bavail: 0 }).use).toBe(0);
});

test("facts of distribution and processor are read", () => {
  expect(parseOsRelease('NAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n# note\n')).toEqual({
    NAME: "Debian GNU/Linux",
    VERSION_ID: "12",
    ID: "debian",
  });
  const block =
    "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel name\t: Intel(R) Xeon(R) Processor @ 2.00GHz\ncpu MHz\t\t: 2599.996\nphysical id\t: 0\nflags\t\t: fpu vmx\n";
  const text = `processor\t: 0\ncore id\t: 0\n${block}\nprocessor\t: 1\ncore id\t: 0\n${block}\n`;
  expect(parseCpuInfo(text)).toMatchObject({
    manufacturer: "Intel",
    brand: "Xeon® Processor",
    family: "6",
    speed: 2.6,
    cores: 2,
    physicalCores: 1,
    processors: 1,
    virtualization: true,
  });
});
