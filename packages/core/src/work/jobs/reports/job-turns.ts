import { mergeWaiting } from "../../../fleet/servers/rules/merge-waiting.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { createKeyedTurns } from "../../../lib/turns/turns.ts";

/** Processes the messages about each job in the order of their arrival, and bounds the number that wait. Never throws. */
export interface JobTurns {
  /** Merges an update into the one waiting directly before it, because agents send the whole job each second. */
  update(id: string, sent: SentUpdate, take: (update: unknown) => Promise<void>): void;
  /** Output and meta lines; dropped when too many are waiting. */
  text(id: string, text: string, take: () => Promise<void>): void;
  work(id: string, work: () => Promise<void>): void;
  /** Resolves when no message waits any more. */
  idle(): Promise<void>;
}

export interface SentUpdate {
  readonly server: string;
  readonly update: unknown;
}

/** Most turns that wait for one job; further texts are dropped, updates are merged. */
const MAX_WAITING = 1000;
/** Most jobs with waiting messages. Servers may name any number of jobs, even ones that do not exist. */
const MAX_JOBS = 50_000;
/** Most characters of waiting texts of all jobs together, and of one text. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_TEXT = 32 * 1024 * 1024;

interface Line {
  count: number;
  /** Something was dropped, which is logged once. */
  hasLoss: boolean;
  /** The last update, as long as its turn has not begun and nothing has come after it. */
  open: { readonly server: string; update: unknown } | undefined;
}

export function createJobTurns(deps: Pick<Cradle, "clock" | "log">): JobTurns {
  const lines = createLines(deps);
  let characters = 0;
  return {
    update(id, { server, update }, take) {
      const open = lines.get(id)?.open;
      if (open?.server === server) {
        open.update = mergeWaiting(open.update, update);
        return;
      }
      if (lines.isCrowded(id)) return lines.drop(id);
      const entry = { server, update };
      const line = lines.add(id, () => {
        if (line.open === entry) line.open = undefined;
        return take(entry.update);
      });
      line.open = entry;
    },
    text(id, text, take) {
      const isTooMuch = text.length > MAX_TEXT || characters + text.length > MAX_CHARACTERS;
      const isLong = (lines.get(id)?.count ?? 0) >= MAX_WAITING;
      if (isTooMuch || isLong || lines.isCrowded(id)) return lines.drop(id);
      characters += text.length;
      lines.add(id, async () => {
        characters -= text.length;
        await take();
      });
    },
    work: (id, work) => void lines.add(id, work),
    idle: lines.idle,
  };
}

function createLines({ clock, log }: Pick<Cradle, "clock" | "log">) {
  const turns = createKeyedTurns();
  const lines = new Map<string, Line>();
  let breathe = createBreath(clock);
  let gate = Promise.resolve();

  const failed = (job: string, error: unknown): void => log.error({ job, error }, "A message about a job failed");

  return {
    get: (id: string): Line | undefined => lines.get(id),
    isCrowded: (id: string): boolean => lines.size >= MAX_JOBS && !lines.has(id),
    add(id: string, work: () => Promise<void>): Line {
      const line = lines.get(id) ?? { count: 0, hasLoss: false, open: undefined };
      line.count += 1;
      line.open = undefined;
      // One message may report on thousands of jobs, so the work yields regularly.
      if (lines.size === 0) breathe = createBreath(clock);
      lines.set(id, line);
      void turns.run(id, async () => {
        gate = gate.then(() => breathe());
        await gate;
        await Promise.resolve()
          .then(work)
          .catch((error: unknown) => failed(id, error));
        line.count -= 1;
        if (line.count === 0) lines.delete(id);
      });
      return line;
    },
    async idle(): Promise<void> {
      while (turns.size > 0) await turns.idle();
    },
    /** Logs dropped messages, once for as long as messages of the job are waiting. */
    drop(id: string): void {
      const line = lines.get(id);
      if (line?.hasLoss) return;
      if (line) line.hasLoss = true;
      log.warn({ job: id }, "Messages about a job were dropped: too much waits");
    },
  };
}
