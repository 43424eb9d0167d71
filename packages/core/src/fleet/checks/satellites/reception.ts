import { CHECKS_PLUGIN } from "../../../directory/plugins/rules/presets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import type { Check, CheckState } from "../model.ts";
import { newState, placeIn, withNote } from "../rules/standing.ts";
import { type Answered, lockStates, type NoteAndTell, storeStates, type Tell } from "../services/note.ts";
import { judgeFound } from "./answers.ts";
import type { Deliveries } from "./deliveries.ts";

/** Stores the results of checks from a server's last minute. */
export type Receive = (server: string) => Promise<void>;

/** Seconds that a server has for its first results: its minute may have begun before it received the checks. */
const FIRST_ANSWER_SEC = 120;

type Deps = Pick<Cradle, "clock" | "servers" | "transact">;

interface Parts {
  readonly deliveries: Pick<Deliveries, "of" | "hurry">;
  readonly noteAndTell: NoteAndTell;
  readonly tell: Tell;
}

export function createReception({ clock, servers, transact }: Deps, { deliveries, noteAndTell, tell }: Parts): Receive {
  const mute = new Set<string>();
  const setMute = async (server: string, checks: readonly Check[], isMute: boolean): Promise<void> => {
    if (mute.has(server) === isMute) return;
    await transact(async ({ tx }) => {
      const states = await lockStates(tx, checks);
      const note = isMute ? `Server does not run checks: ${server}` : undefined;
      const noted = checks.map(({ id }) => withNote(states.get(id) ?? newState(id, clock.now()), server, note));
      await storeStates(tx, noted);
    });
    if (isMute) mute.add(server);
    else mute.delete(server);
    // Servers that have left: most return with the same note, which is stored again.
    for (const id of mute) if (!servers.get(id)) mute.delete(id);
  };
  const take = async (server: string, answers: readonly Answered[]): Promise<void> => {
    if (answers.length === 0) return;
    const states = await transact((unit) => noteAndTell(unit, answers, tell));
    deliveries.hurry(server, waitingAt(server, states));
  };
  return async (server) => {
    const given = deliveries.of(server);
    if (!given) return;
    const said = membersOf(servers.latest(server)?.data["commands"])[CHECKS_PLUGIN];
    const now = Math.floor(clock.now());
    if (!isObject(said)) {
      if (now - given.since >= FIRST_ANSWER_SEC) await setMute(server, given.checks, true);
      return;
    }
    await setMute(server, given.checks, false);
    const told = given.checks.filter(({ id }) => Object.hasOwn(said, id));
    const answers = told.map((check) => ({ check, result: judgeFound(check, said[check.id], { now, from: server }) }));
    await take(server, answers);
  };
}

/** Checks that failed on this server and may still be retried. */
const waitingAt = (server: string, states: readonly CheckState[]): ReadonlySet<string> =>
  new Set(
    states.flatMap((state) => {
      const { failures = 0, down = false } = placeIn(state, server) ?? {};
      return failures > 0 && !down ? [state.id] : [];
    }),
  );
