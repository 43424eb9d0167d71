import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import type { Alert } from "../../model.ts";
import { unknownPaths } from "../../rules/backtest/kept.ts";
import { contextOfPoint } from "../../rules/backtest/replay.ts";
import { kindOf } from "../../rules/definition/subjects.ts";

/**
 * A value that an expression reads. "not kept" = no timeline stores it; null = the minute is missing, or has no such
 * value.
 */
export interface PastReading {
  readonly path: string;
  readonly value: unknown;
}

interface Asked {
  readonly alert: Pick<Alert, "expression" | "subject">;
  /** Id of a server, or the key of another subject. */
  readonly place: string;
  /** Unix seconds of any moment within the minute. */
  readonly minute: number;
}

/** The values that an alert's expression would have read in a past minute, as far as they are stored. */
export type ReadingsAt = (tx: ReadTx, asked: Asked) => Promise<PastReading[]>;

export function createReadingsAt({ expressions }: Pick<Cradle, "expressions">): ReadingsAt {
  return async (tx, { alert, place, minute }) => {
    const paths = expressions.pathsOf(alert.expression);
    const isServer = kindOf(alert) === "server";
    const unkept = new Set(isServer ? unknownPaths(paths, "server") : paths);
    // Timelines count in minutes.
    const from = Math.floor(minute / 60);
    const span = { from, to: from + 1, limit: 1 };
    const [point] = isServer ? await tx.timeline.range({ server: place, system: "hourly" }, span) : [];
    const context = point && contextOfPoint(point);
    const read = (path: string): unknown => (context && expressions.compile(path).evaluate(context)) ?? null;
    return paths.map((path) => ({ path, value: unkept.has(path) ? "not kept" : read(path) }));
  };
}
