import type { Caller } from "../../../directory/access/require-access.ts";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { PastMinute, Span } from "../rules/backtest/replay.ts";
import type { Kind, Sight, Watched } from "../rules/definition/subjects.ts";

/** The domain that knows all subjects of a kind. */
export interface WatchedSource {
  /** The judged subjects that the caller may see, all or one. Throws when the one cannot be shown. */
  visible(tx: ReadTx, actor: Caller, id?: string): Promise<Sight[]>;
  /** Number of judged subjects that match. */
  countOf(isMeant: (watched: Watched) => boolean): number;
  /** Past values of one subject for alerts, as far as they are kept; none when it is not judged. */
  past(id: string, span: Span & Pick<PrepareContext, "read">): AsyncGenerator<PastMinute>;
}

interface Sources {
  readonly checks: WatchedSource;
  readonly expectations: WatchedSource;
  readonly heartbeats: WatchedSource;
}

/** The domain that knows the subjects of a kind; undefined where they are servers. */
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
