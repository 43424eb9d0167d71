import { membersOf } from "@signalbox/core/adapter";

/** Messages about jobs that wait for the connection. Jobs continue without one, and their results must not be lost. */
export interface Outbox {
  /** Keeps a message that cannot be sent now. Samples are dropped, because they are stale when the connection is back. */
  keep(cmd: string, data: unknown): void;
  /** Sends the kept messages, in order. */
  flush(send: (cmd: string, data: unknown) => void): void;
}

interface Kept {
  readonly cmd: string;
  readonly data: unknown;
}

/** Most messages kept; beyond it, log pieces and milestones are dropped, the oldest first. */
const MAX_LINES = 1000;

export function createOutbox(): Outbox {
  let kept: Kept[] = [];
  return {
    keep(cmd, data) {
      const isLine = cmd === "job_log" || cmd === "job_meta";
      if (!isLine && !(cmd === "jobs" && isFinal(data))) return;
      kept.push({ cmd, data });
      const oldest = isLine && kept.length > MAX_LINES ? kept.findIndex((each) => each.cmd !== "jobs") : -1;
      if (oldest >= 0) kept.splice(oldest, 1);
    },
    flush(send) {
      const ready = kept;
      kept = [];
      for (const { cmd, data } of ready) send(cmd, data);
    },
  };
}

function isFinal(data: unknown): boolean {
  return Object.values(membersOf(data)).some((job) => membersOf(job)["state"] === "complete");
}
