import type { Caller } from "../../../directory/access/require-access.ts";
import type { PrepareContext, QueryContext } from "../../../kernel/calls/context.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { SUBJECT_TYPES } from "../model.ts";
import type { PastMinute, Span } from "../rules/backtest/replay.ts";
import type { Kind, Sight, Watched } from "../rules/definition/subjects.ts";

/** Implemented by the domain that owns all subjects of a kind. */
export interface WatchedSource {
  /** Judged subjects that the caller may see: all, or the one with this id. Throws when that one cannot be shown. */
  visible(tx: ReadTx, actor: Caller, id?: string): Promise<Sight[]>;
  /** Number of judged subjects that match. */
  countOf(isMeant: (watched: Watched) => boolean): number;
  /**
   * Past values of one subject for alerts, as far as they are stored; yields nothing when the subject is not judged.
   */
  past(id: string, span: Span & Pick<PrepareContext, "read">): AsyncGenerator<PastMinute>;
}

interface Sources {
  readonly checks: WatchedSource;
  readonly expectations: WatchedSource;
  readonly heartbeats: WatchedSource;
}

/** The domain that owns the subjects of a kind; undefined when they are servers. */
export function sourceOf({ checks, expectations, heartbeats }: Sources, kind: Kind): WatchedSource | undefined {
  switch (kind) {
    case "event":
      return expectations;
    case "heartbeat":
      return heartbeats;
    case "check":
      return checks;
    default:
      return undefined;
  }
}

/** Resolves a key such as "event:e1" to its subject, if the caller may see it; undefined for any other text. */
export async function watchedAt(
  text: string,
  { actor, services, tx }: Pick<QueryContext, "actor" | "services" | "tx">,
): Promise<Watched | undefined> {
  const [type = "", id] = text.split(":");
  const kind = SUBJECT_TYPES.find((each) => each === type);
  const source = kind && sourceOf(services, kind);
  if (!source || id === undefined) return undefined;
  const [sight] = await source.visible(tx, actor, id);
  if (!sight) throw new NotFoundError(`Failed to locate ${type}: ${id}`);
  return sight.watched;
}
