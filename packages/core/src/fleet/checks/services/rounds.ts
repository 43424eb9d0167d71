import { definitionIn } from "../../../kernel/apart.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { byId } from "../../../lib/by-id.ts";
import { stateCollection } from "../collection.ts";
import type { Check } from "../model.ts";
import { isAskedHere } from "../rules/places.ts";
import type { Ask } from "./ask.ts";
import { createClaims, type Turn } from "./claims.ts";
import type { NoteAndTell, Tell } from "./note.ts";

/** Runs the checks that are due and fall to this node. `now` is Unix seconds. */
export type AskAll = (now: number, signal: AbortSignal) => Promise<void>;

/** Number of checks that run concurrently. */
const TOGETHER = 20;

/** Shortest interval of checks: a round that takes this long skips turns. */
const BEHIND_MS = 60_000;

type Deps = Pick<Cradle, "apart" | "clock" | "log" | "nodes" | "snapshot" | "storage" | "transact">;

interface Parts {
  readonly judged: () => readonly Check[];
  readonly ask: Ask;
  readonly noteAndTell: NoteAndTell;
  readonly tell: Tell;
}

export function createRounds(deps: Deps, { judged, ask, noteAndTell, tell }: Parts): AskAll {
  const note = createPunctuality(deps);
  const claims = createClaims(deps);
  return async (now, signal) => {
    const begun = deps.clock.monotonicMs();
    const checks = judged().filter(isAskedHere);
    if (checks.length === 0) return;
    const states = await deps.snapshot((tx) => tx.collection(stateCollection).list());
    const known = byId(states);
    const due = claims.due(checks, known, now);
    for (let start = 0; start < due.length && !signal.aborted; start += TOGETHER) {
      const some = await claims.take(asTheyAre(due.slice(start, start + TOGETHER), judged()));
      const found = await Promise.all(
        some.map(({ check, turn }) =>
          deps.apart.run(definitionIn("checks", "Check", check.id, signal), async () => {
            return { check, turn, result: await ask(check, signal) };
          }),
        ),
      );
      const answers = found.flatMap((answer) => answer ?? []);
      // A probe that the shutdown aborted has no result.
      if (signal.aborted) break;
      // Each batch judges the network from the states of all checks.
      const tellAll: Tell = (unit, told, states) => tell(unit, told, new Map([...known, ...states]));
      await deps.apart.together(
        answers,
        ({ check: { id } }) => definitionIn("checks", "Check", id, signal),
        async (those) => {
          const noted = await deps.transact((unit) => noteAndTell(unit, those, tellAll));
          for (const state of noted) known.set(state.id, state);
        },
      );
    }
    note(deps.clock.monotonicMs() - begun, due.length);
  };
}

/**
 * Refreshes the checks of the remaining turns: a round that falls behind takes minutes, in which some are changed or
 * disabled.
 */
const asTheyAre = (turns: readonly Turn[], judged: readonly Check[]): Turn[] => {
  const known = byId(judged);
  return turns.flatMap(({ check: { id }, turn }) => {
    const check = known.get(id);
    return check ? [{ check, turn }] : [];
  });
};

/** Logs once when rounds fall behind, and again only after a round was in time. */
function createPunctuality({ log }: Pick<Deps, "log">): (ms: number, checks: number) => void {
  let isBehind = false;
  return (ms, checks) => {
    const isLate = ms >= BEHIND_MS;
    if (isLate && !isBehind) log.warn({ checks, ms: Math.round(ms) }, "Checks are asked later than they are due");
    isBehind = isLate;
  };
}
