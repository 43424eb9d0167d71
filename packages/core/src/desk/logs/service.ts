import type { LineFilter } from "../../expressions/index.ts";
import type { Cradle } from "../../kernel/container.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { createBreath } from "../../kernel/running/breath.ts";
import { createDays } from "../../lib/time/days.ts";
import { durationSeconds } from "../../lib/time/duration.ts";
import { createLines, createNewest, type LogRow, rowOf } from "./rules.ts";

export interface LogSearch {
  readonly log: string;
  /** Local day; absent = today. */
  readonly date?: string | undefined;
  readonly rows: number;
  readonly columns?: readonly string[] | undefined;
  readonly filter: LineFilter;
  readonly signal: AbortSignal;
}

/** Logs that the host lets administrators see (docs/contract/administration.md#logs). */
export interface Logs {
  /** The newest lines that match, and how many lines there are. Throws `DomainError`. */
  search(search: LogSearch): Promise<{ readonly rows: LogRow[]; readonly lines: number }>;
  /** Compresses the logs of past days, after midnight and after a start. Called once a minute; `now` is Unix seconds. */
  archive(now: number): Promise<void>;
}

/** Most concurrent searches: each reads a whole file. */
const MAX_SEARCHES = 4;
/** Lines filtered between two yields to the event loop. */
const BUNCH = 500;
const DAY = 86_400;

export function createLogs({ clock, config, logFiles }: Pick<Cradle, "clock" | "config" | "logFiles">): Logs {
  let searches = 0;
  let archived: string | undefined;
  const dayOf = createDays(config);

  async function scan({ log, date, rows, columns, filter, signal }: LogSearch) {
    const content = await logFiles?.read(log, date);
    if (!content) throw new DomainError("admin", "unknown", `Log not found: ${log}${date ? ` of ${date}` : ""}`);
    const [lines, newest, decoder] = [createLines(), createNewest<string>(rows), new TextDecoder()];
    const look = createLook({ clock, signal, filter }, newest.add);
    for await (const piece of content) {
      signal.throwIfAborted();
      await look(lines.take(decoder.decode(piece, { stream: true })));
    }
    const count = await look(lines.rest());
    return { rows: newest.list().map((line) => rowOf(line, columns)), lines: count };
  }

  return {
    async search(search) {
      if (!logFiles)
        throw new DomainError("admin", "conflict", "Logs are not kept here: the server was started without log files.");
      if (searches >= MAX_SEARCHES)
        throw new DomainError("admin", "unavailable", "Too many searches of logs are running; try again later.");
      searches += 1;
      try {
        return await scan(search);
      } finally {
        searches -= 1;
      }
    },
    async archive(now) {
      if (!logFiles) return;
      const today = dayOf(now);
      if (archived === today) return;
      await logFiles.archive(Math.ceil(durationSeconds(config.log_archive_keep) / DAY));
      archived = today;
    },
  };
}

type Looking = Pick<LogSearch, "filter" | "signal"> & Pick<Cradle, "clock">;

/** Filters lines and yields to the event loop in between, as there may be millions. Resolves to the number of lines so far. */
function createLook({ clock, signal, filter }: Looking, add: (line: string) => void) {
  const breath = createBreath(clock, signal);
  let count = 0;
  return async (lines: readonly string[]): Promise<number> => {
    for (let from = 0; from < lines.length; from += BUNCH) {
      for (const line of matching(() => filter(lines.slice(from, from + BUNCH)))) add(line);
      await breath();
    }
    count += lines.length;
    return count;
  };
}

/** Runs the filter, or makes it. Throws `DomainError` for a pattern that is malformed or takes too long. */
export function matching<R>(work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw new DomainError("api", "malformed", `Malformed parameter: match (${(error as Error).message})`);
  }
}
