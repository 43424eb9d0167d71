import type { Cradle } from "../../kernel/container.ts";
import type { Snapshot } from "../../kernel/unit-of-work.ts";

/** For what reads longer than one snapshot should last. */
export interface SearchService {
  readonly read: Snapshot;
}

export const createSearch = ({ snapshot }: Pick<Cradle, "snapshot">): SearchService => ({ read: snapshot });
