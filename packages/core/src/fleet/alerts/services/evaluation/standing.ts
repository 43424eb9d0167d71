import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { stateCollection } from "../../collection.ts";
import type { AlertState } from "../../model.ts";

/**
 * States of live alerts, cached because every launch of a job needs them. Firings and clearings on this node show at
 * once, changes by other nodes within a second.
 */
export interface StandingAlerts {
  /** States of these alerts on any server. */
  ofAlerts(tx: ReadTx, alerts: readonly string[]): Promise<readonly AlertState[]>;
  ofServer(tx: ReadTx, server: string): Promise<readonly AlertState[]>;
}

const FRESH_SEC = 1;

export function createStanding({ clock, events }: Pick<Cradle, "clock" | "events">): StandingAlerts {
  let known = new Map<string, readonly AlertState[]>();
  let since = Number.NEGATIVE_INFINITY;
  const forget = (): void => {
    // Replaces the map instead of clearing it: a read in flight may still store the previous state.
    known = new Map();
    since = clock.now();
  };
  events.on("alert.fired", forget);
  events.on("alert.cleared", forget);

  async function read(tx: ReadTx, field: "alert" | "server", words: readonly string[]): Promise<readonly AlertState[]> {
    const now = clock.now();
    if (now - since >= FRESH_SEC || now < since) forget();
    const answers = known;
    const key = `${field} ${words.join(" ")}`;
    const answer = answers.get(key);
    if (answer) return answer;
    const { rows } = await tx.collection(stateCollection).find(hasWord(field, words));
    const standing = rows.filter(({ notified }) => notified);
    answers.set(key, standing);
    return standing;
  }

  return {
    ofAlerts: (tx, alerts) => read(tx, "alert", alerts),
    ofServer: (tx, server) => read(tx, "server", [server]),
  };
}
