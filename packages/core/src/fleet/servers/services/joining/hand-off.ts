import type { Cradle } from "../../../../kernel/container.ts";
import { pause } from "../../../../kernel/running/loops.ts";
import { emptiest } from "../../rules/joining/come-back.ts";
import type { Announcements } from "../connections/announcements.ts";
import type { Connection } from "../connections/connection.ts";
import type { ActiveServer } from "../known/fleet.ts";

interface Parts {
  readonly entries: () => readonly ActiveServer[];
  readonly announcements: Pick<Announcements, "waysBack">;
  /** Handles a satellite's held messages at once. */
  readonly flush: (connection: Connection) => void;
  readonly close: (connection: Connection, reason: string) => void;
}

const STEP_MS = 100;
/** All satellites are sent away within this time, however many there are. */
const WITHIN_SEC = 10;
/**
 * Milliseconds after which a satellite that does not follow is disconnected; it then reconnects by its list of hosts.
 */
const GRACE_MS = 3000;

/**
 * Returns a function that sends the satellites of this node to the others, each to the one with the fewest, in small
 * steps. They are away for a second, and their jobs continue. Without another node they stay until the end.
 */
export function createHandOff(
  { clock, config }: Pick<Cradle, "clock" | "config">,
  { entries, announcements, flush, close }: Parts,
): () => Promise<void> {
  const here = (): Connection[] =>
    entries().flatMap(({ connection }) =>
      connection.phase === "joined" && !connection.link.trusted ? [connection] : [],
    );
  return async () => {
    const others = announcements.waysBack.others();
    if (others.length === 0) return;
    const hosts = emptiest(others);
    const perSec = Math.max(config.cluster.redirect_per_sec, here().length / WITHIN_SEC);
    const atOnce = Math.ceil((perSec * STEP_MS) / 1000);
    const asked = new Set<Connection>();
    // Recomputed for each step, as satellites come and go.
    const next = (): Connection[] =>
      here()
        .filter((connection) => !asked.has(connection))
        .slice(0, atOnce);
    for (let some = next(); some.length > 0; some = next()) {
      for (const connection of some) {
        asked.add(connection);
        flush(connection);
        connection.link.send({ cmd: "redirect", data: { host: hosts.next().value } });
      }
      await pause(clock, STEP_MS);
    }
    for (let waitedMs = 0; here().length > 0 && waitedMs < GRACE_MS; waitedMs += STEP_MS) await pause(clock, STEP_MS);
    for (const connection of here()) close(connection, "This node ends.");
  };
}
