import type { Cradle } from "../../../../kernel/container.ts";
import { createFollowing, type Following } from "../../../../kernel/nodes/following.ts";
import { AboutServer, CHANGED_MESSAGE, REMOVED_MESSAGE } from "../../rules/messages.ts";

interface Reactions {
  readonly changed: (id: string) => void;
  readonly removed: (id: string) => void;
  /** Messages may have been lost. */
  readonly missed: () => void;
}

/** Keeps this node in step with other nodes' writes about the servers that it knows. */
export const createNeighbours = (deps: Pick<Cradle, "storage">, { changed, removed, missed }: Reactions): Following =>
  createFollowing(
    deps,
    ({ type, payload }) => {
      if (type !== CHANGED_MESSAGE && type !== REMOVED_MESSAGE) return;
      const { id } = AboutServer.parse(payload);
      if (type === CHANGED_MESSAGE) changed(id);
      else removed(id);
    },
    missed,
  );
