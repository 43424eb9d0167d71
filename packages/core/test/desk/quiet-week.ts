import { readFileSync } from "node:fs";
import type { Invocation } from "../../src/fleet/alerts/model.ts";
import type { Cradle } from "../../src/kernel/container.ts";
import { seededRandom } from "../../src/testing/box/seeded-random.ts";
import { createTestSignalbox, type TestServer } from "../../src/testing/index.ts";
import { cradleProbe } from "../engine.ts";

interface Reading {
  readonly load: number;
  readonly cpu: number;
  readonly io_wait: number;
  readonly mem_available: number;
  readonly disk: number;
  readonly conns: number;
  readonly procs: number;
  readonly jobs: number;
}

/** Minutes of a busy machine with two cores and 25 GB, as its agent reported them. */
const RECORDED: readonly Reading[] = JSON.parse(
  readFileSync(new URL("../fixtures/recorded-minutes.json", import.meta.url), "utf8"),
);
const RECORDED_CORES = 2;
const TOTAL = 25_276_502_016;
const MONDAY = Date.UTC(2026, 0, 5) / 1000;
const DAY = 1440;

/** A range of minutes on a day of the week, and the notices due for it: alert and subject. */
interface Incident {
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly tells: readonly string[];
}

const at = (hour: number, minute = 0): number => hour * 60 + minute;

/** Real incidents, none of which overlap. */
export const INCIDENTS = {
  silent: { day: 0, from: at(3), to: at(3, 40), tells: ["server_silent batch"] },
  site: { day: 0, from: at(10, 20), to: at(11), tells: ["check_down check:shop"] },
  memory: { day: 0, from: at(14), to: at(14, 40), tells: ["mem_free_low web"] },
  disk: { day: 1, from: at(8), to: at(15), tells: ["disk_usage_root_high db", "disk_full_critical db"] },
  night: { day: 2, from: at(2), to: at(8, 30), tells: ["mem_free_low db"] },
  job: { day: 3, from: at(2), to: DAY + at(2), tells: ["event_overdue event:nightly"] },
  heartbeat: { day: 4, from: at(12), to: at(15), tells: ["heartbeat_late heartbeat:import"] },
} satisfies Readonly<Record<string, Incident>>;
type Name = keyof typeof INCIDENTS;

/** Progress of an incident, 0 to 1; undefined = it is not happening. */
function progressOf(name: Name, minute: number): number | undefined {
  const { day, from, to } = INCIDENTS[name];
  const gone = (minute - day * DAY - from) / (to - from);
  return gone >= 0 && gone < 1 ? gone : undefined;
}

const isOn = (name: Name, minute: number): boolean => progressOf(name, minute) !== undefined;

/** Load that people cause on a machine at a minute of the week: it rises in the mornings; nights and weekends are calm. */
function bustle(minute: number): number {
  const hour = (minute % DAY) / 60;
  const isWeekend = Math.floor(minute / DAY) % 7 >= 5;
  const day = Math.max(0, Math.sin(((hour - 6) / 15) * Math.PI));
  return 0.15 + (isWeekend ? 0.2 : 0.65) * day;
}

type Chance = () => number;

/** The recorded machine's reading at a minute, adapted to the load of that time and another number of cores. */
function varied(minute: number, cores: number, share: number, chance: Chance): Reading {
  const recorded = RECORDED[minute % RECORDED.length] as Reading;
  const part = bustle(minute) * share * (0.8 + 0.4 * chance());
  return {
    ...recorded,
    load: (recorded.load / RECORDED_CORES) * cores * part,
    cpu: Math.min(100, recorded.cpu * part),
    io_wait: recorded.io_wait * (0.5 + chance()),
    mem_available: recorded.mem_available * (1 - 0.5 * Math.min(1, part)),
    disk: recorded.disk + 20,
  };
}

const isBetween = (minute: number, from: number, to: number): boolean => minute % DAY >= from && minute % DAY < to;

/** Machines, each with a peculiarity that is not an incident. */
const MACHINES: Readonly<Record<string, { cores: number; reading: (minute: number, chance: Chance) => Reading }>> = {
  web: {
    cores: 4,
    reading(minute, chance) {
      const reading = varied(minute, 4, 1, chance);
      // A report that runs each evening briefly takes nearly all of the memory.
      const isTight = isBetween(minute, at(18), at(18, 3)) || isOn("memory", minute);
      return { ...reading, ...(isTight ? { mem_available: TOTAL * 0.03 } : {}) };
    },
  },
  db: {
    cores: 8,
    reading(minute, chance) {
      const reading = varied(minute, 8, 0.6, chance);
      const disk = progressOf("disk", minute);
      const isBackup = isBetween(minute, at(1), at(1, 25));
      // On Sundays everything is copied, and the disks are fully busy.
      const isCopy = Math.floor(minute / DAY) === 6 && isBetween(minute, at(2), at(2, 50));
      return {
        ...reading,
        ...(isBackup ? { load: 5 + chance(), io_wait: 40 + 20 * chance() } : {}),
        ...(isCopy ? { load: 6 + chance(), io_wait: 78 + 10 * chance() } : {}),
        ...(isOn("night", minute) ? { mem_available: TOTAL * 0.04 } : {}),
        disk: disk === undefined ? 82 + 3 * chance() : 86 + 13 * disk,
      };
    },
  },
  // Works as hard as in the recording on two days of the week, and the logs of a day nearly fill its disk.
  batch: {
    cores: 2,
    reading(minute, chance) {
      const isHard = [1, 3].includes(Math.floor(minute / DAY)) && isBetween(minute, at(9), at(17));
      const reading = varied(minute, 2, isHard ? 2 : 0.9, chance);
      return { ...reading, disk: 78 + 10 * ((minute % DAY) / DAY) };
    },
  },
};

const dataOf = (cores: number, { load, cpu, io_wait, mem_available, disk, conns, procs, jobs }: Reading) => ({
  load: [load, load, load],
  cpu: { cores, currentLoad: cpu, totals: { iowait: io_wait } },
  memory: { total: TOTAL, available: mem_available, used: TOTAL - mem_available },
  mounts: { root: { mount: "/", type: "ext4", use: disk } },
  stats: { network: { conns } },
  processes: { all: procs },
  jobs,
});

/** Whether an agent is offline for a harmless reason: agents are updated at eleven, and machines restart on Wednesday night. */
function isAway(id: string, minute: number): boolean {
  if (id === "batch" && isOn("silent", minute)) return true;
  const isUpdate = isBetween(minute, at(11), at(11, 2));
  const isReboot = Math.floor(minute / DAY) === 2 && isBetween(minute, at(4, 30), at(4, 34));
  return isUpdate || isReboot;
}

/** Starts a fresh installation with three machines, a nightly job, a heartbeat and a check. */
async function open(now: number, chance: Chance) {
  const probe = cradleProbe();
  let minute = 0;
  const isDown = (): boolean => isOn("site", minute) || chance() < 0.03;
  const box = await createTestSignalbox({
    now: new Date(now * 1000),
    plugins: [probe.plugin],
    config: { debug: false },
    onHook: () => ({ status: isDown() ? 503 : 200 }),
    local: { onJob: () => ({ code: isOn("job", minute) ? 1 : 0 }) },
  });
  const { api } = box;
  await api.createCheck({ id: "shop", title: "Shop", type: "http", url: "https://shop.example.com/" });
  await api.createHeartbeat({ id: "import", title: "Import", category: "general", every: 3600 });
  await api.createEvent({
    ...{ id: "nightly", title: "Nightly", enabled: true, category: "general", plugin: "shellplug", targets: ["local"] },
    ...{ algo: "random", params: { script: "true" }, expect: { success_every: "26 h" } },
    triggers: [{ type: "schedule", enabled: true, hours: [2], minutes: [0] }],
  } as never);
  const servers: TestServer[] = [];
  for (const id of Object.keys(MACHINES)) servers.push(await box.connect({ id }));
  const reach = (now: number): void => {
    minute = now;
  };
  return { box, servers, cradle: probe.cradle(), reach };
}

/** The import reports success each hour, up to four minutes late. */
async function ping({ heartbeats, transact, clock }: Cradle): Promise<void> {
  const ping = { kind: "success" as const, date: Math.floor(clock.now()), ip: "198.51.100.7" };
  await transact((unit) => heartbeats.pings.note(unit, "import", ping));
}

async function report(
  box: Awaited<ReturnType<typeof open>>["box"],
  server: TestServer,
  minute: number,
  chance: Chance,
) {
  const machine = MACHINES[server.id];
  if (!machine) return;
  if (isAway(server.id, minute)) {
    if (server.isConnected) server.disconnect();
    return;
  }
  if (!server.isConnected) await server.reconnect();
  // Now and then a minute is lost in transit.
  if (chance() >= 0.01) await box.report(server, dataOf(machine.cores, machine.reading(minute, chance)));
}

/** The parts of a notice that the test judges. */
export interface Told {
  readonly kind: string;
  /** Unix seconds. */
  readonly date: number;
  /** Alert and subject of each firing that it names. */
  readonly named: readonly string[];
  /** The subset that it names as new. */
  readonly fresh: readonly string[];
}

/** Plays a range of hours of the week; returns the notices that were decided, oldest first. */
export async function playHours(from: number, to: number, seed = 1): Promise<Told[]> {
  const { fraction: chance } = seededRandom(seed);
  const { box, servers, cradle, reach } = await open(MONDAY + from * 3600, chance);
  let pingAt = from * 60;
  for (let minute = from * 60; minute < to * 60; minute++) {
    reach(minute);
    await box.advanceTo(new Date((MONDAY + minute * 60) * 1000));
    for (const server of servers) await report(box, server, minute, chance);
    if (minute === pingAt && !isOn("heartbeat", minute)) await ping(cradle);
    if (minute === pingAt) pingAt = (Math.floor(minute / 60) + 1) * 60 + Math.floor(4 * chance());
  }
  const { rows } = await box.api.searchNotices({ limit: 1000 });
  const ids = [...new Set(rows.flatMap((row) => [...row.new, ...row.repeated, ...row.over]))];
  const { alerts } = await box.api.getAlertInvocations({ ids });
  await box.stop();
  const titles = new Map((alerts as Invocation[]).map((each) => [each.id, titleOf(each)]));
  const titlesOf = (named: readonly string[]) => named.map((id) => titles.get(id) ?? id);
  return rows.toReversed().map((row) => ({
    ...{ kind: row.kind, date: row.date, fresh: titlesOf(row.new) },
    named: titlesOf([...row.new, ...row.repeated, ...row.over]),
  }));
}

const titleOf = ({ alert, server, subject }: Invocation): string =>
  `${alert} ${subject ? `${subject.type}:${subject.id}` : server}`;
