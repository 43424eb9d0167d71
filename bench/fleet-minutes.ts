import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, type MinutesReport, type ServerReport, settled, startServer, stopServer } from "./fleet-processes.ts";
import type { Row } from "./report.ts";

export interface MinutesOptions {
  readonly satellites?: number;
  readonly minutes?: number;
}

/** Share of one core that a fleet may constantly use. */
const SHARE = 0.1;

/** Connects a fleet on SQLite with the default monitors and alerts, in which each satellite reports once a minute. */
export async function runMinutes({ satellites = 5000, minutes = 5 }: MinutesOptions = {}): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-minutes-"));
  const clients = fork(new URL("./storm-clients.ts", import.meta.url));
  try {
    const { child, port } = await startServer(join(folder, "minutes.db"), 0, "roughly");
    await ask(clients, { port, count: satellites, sampling: false });
    await settled(child, 0);
    const before = await ask<ServerReport>(child, { what: "watch" });
    const begun = performance.now();
    const { sent, missed } = await ask<MinutesReport>(clients, { minutes }, (minutes + 4) * 60_000);
    const ms = performance.now() - begun;
    const cpuMs = (await ask<ServerReport>(child, { what: "report" })).cpuMs - before.cpuMs;
    const after = await settled(child, sent);
    const share = cpuMs / ms;
    const memory = await ask<ServerReport>(child, { what: "memory" });
    await stopServer(child);
    const fleet = `${satellites.toLocaleString("en-US")} satellites over ${minutes} minutes`;
    return [
      {
        name: `budget of ${SHARE * 100}% / core, ${fleet}`,
        value: 100 * share,
        unit: "%",
        ratio: SHARE / share,
        floor: 1,
      },
      { name: "processor time of one report", value: (cpuMs * 1000) / sent, unit: "µs" },
      {
        name: "reports stored / due",
        value: after.samples,
        unit: "reports",
        ratio: after.samples / (sent + missed),
        floor: 1,
      },
      { name: "longest loop delay", value: after.delayMaxMs, unit: "ms" },
      { name: "loop delay, 99 of 100", value: after.delayP99Ms, unit: "ms" },
      { name: "resident memory of the whole process", value: memory.rss / 1024 / 1024, unit: "MB" },
    ];
  } finally {
    clients.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}
