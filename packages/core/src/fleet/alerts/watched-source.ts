import type { Caller } from "../../directory/access/require-access.ts";
import type { ReadTx } from "../../ports/storage.ts";
import type { Kind, Sight, Watched } from "./rules/subjects.ts";

/** Who knows all subjects of a kind. */
export interface WatchedSource {
  /** What is judged, all or one, as the caller may see it. Throws when the one cannot be shown. */
  visible(tx: ReadTx, actor: Caller, id?: string): Promise<Sight[]>;
  /** How many are judged that are meant. */
  countOf(isMeant: (watched: Watched) => boolean): number;
}

interface Sources {
  readonly checks: WatchedSource;
  readonly expectations: WatchedSource;
  readonly heartbeats: WatchedSource;
}

/** Who knows the subjects of a kind; nobody where they are servers. */
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
