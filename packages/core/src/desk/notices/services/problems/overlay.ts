import type { Invocation } from "../../../../fleet/alerts/model.ts";
import type { NoticeHold, ToldTo } from "../../../../fleet/alerts/telling.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { problemCollection } from "../../collection.ts";
import type { Member } from "../../model.ts";
import { heldBy, holdIn, jointly, toldTo } from "../../rules/members/told-to.ts";
import { latestOf } from "../../rules/problem/facts.ts";
import { receiverOf } from "../receivers/receiver-of.ts";

/** Adds holds and notified receivers to invocations, from their problems. */
export type OverlayTold = <T extends Invocation | undefined>(tx: ReadTx, found: readonly T[]) => Promise<T[]>;

interface Stand {
  /** The hold in each problem that contains it; undefined = none there. */
  readonly holds: readonly (NoticeHold | undefined)[];
  readonly told: readonly ToldTo[];
}

/** Id of the member's first firing, and of the newest one if it flaps. */
function idsOf(member: Member): readonly string[] {
  const latest = latestOf(member);
  return latest === member.invocation ? [latest] : [member.invocation, latest];
}

export function createOverlay(deps: Pick<Cradle, "alerts" | "definitions">): OverlayTold {
  const titleOf = (id: string): string => receiverOf(deps, id)?.title ?? id;

  async function standsOf(tx: ReadTx, words: string[]): Promise<Map<string, Stand>> {
    const stands = new Map<string, Stand>();
    if (words.length === 0) return stands;
    const { rows } = await tx.collection(problemCollection).find(hasWord("invocation", words));
    const asked = new Set(words);
    const isAsked = (id: string): boolean => asked.has(id);
    // Narrows the members down first: a problem may have thousands of which a page names a few.
    const named = rows.flatMap(({ members, title }) =>
      members.filter((member) => idsOf(member).some(isAsked)).map((member) => ({ member, title })),
    );
    for (const { member, title } of named)
      for (const id of idsOf(member).filter(isAsked)) {
        const known = stands.get(id);
        const told = toldTo(member, (receiver) => title ?? titleOf(receiver));
        stands.set(id, { holds: [...(known?.holds ?? []), heldBy(member)], told: [...(known?.told ?? []), ...told] });
      }
    return stands;
  }

  return async (tx, found) => {
    const stands = await standsOf(
      tx,
      found.flatMap((invocation) => invocation?.id ?? []),
    );
    return found.map((invocation) => {
      const { holds = [], told = [] } = stands.get(invocation?.id ?? "") ?? {};
      const held = holdIn(holds) ?? (invocation?.active ? invocation.untold?.by : undefined);
      return invocation && { ...invocation, ...(held ? { held } : {}), told: jointly(told) };
    });
  };
}
