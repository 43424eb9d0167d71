import { firedAt } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import { targetId } from "../../../../fleet/alerts/rules/telling/by-problem.ts";
import { isTelling } from "../../../../fleet/alerts/rules/telling/telling.ts";
import type { Telling } from "../../../../fleet/alerts/telling.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { type Account, sentenceOf } from "../../rules/texts/accounts.ts";
import type { Times } from "../../rules/texts/words.ts";
import { actionTitle } from "../receivers/action-routes.ts";
import type { About, Deps } from "./about.ts";

interface Asked {
  readonly deps: Deps;
  readonly about: About;
  readonly clock: Times;
  readonly phase: Pick<Telling, "state" | "flapping">;
  /** Unix seconds of the minute that the question is about; absent = now. */
  readonly minute: number | undefined;
}

interface Came extends Pick<Telling, "verdict" | "reason"> {
  /** Unix seconds. */
  readonly at: number;
  readonly code: unknown;
}

/** Rows for actions on a firing that were carried out for its server alone, without a notice; one row per target. */
export function toldByActions(asked: Asked): Telling[] {
  const { about, minute } = asked;
  const { actions = [] } = about.invocation;
  const byTarget = Map.groupBy(
    actions.filter((action) => isTelling(action) && action["notice"] === undefined),
    targetId,
  );
  return [...byTarget].flatMap(([receiver, own]) => {
    const title = titleOf(asked.deps, own);
    const came = own
      .map((action) => cameOf(action, title, asked))
      .filter(({ at }) => minute === undefined || at < minute + 60);
    const last = came.at(-1);
    return last ? [rowOf({ receiver, title, came, last }, asked)] : [];
  });
}

const TITLED: ReadonlySet<string> = new Set(["email", "channel", "web_hook"]);

const titleOf = (deps: Deps, [first]: readonly Action[]): string =>
  first && TITLED.has(first.type) ? actionTitle(deps, first) : (first?.type ?? "");

function cameOf(action: Action, receiver: string, { about, clock }: Asked): Came {
  const { date, code } = action as Action & Readonly<Record<string, unknown>>;
  const at = typeof date === "number" ? Math.floor(date) : firedAt(about.invocation);
  const reason = sentenceOf(accountOf(action, { receiver, at }), clock);
  return { at, code, verdict: isMaybeTold(code) ? "told" : "failed", reason };
}

/** Whether an action may have reached its target, which includes an action under way and one that was cut off. */
const isMaybeTold = (code: unknown): boolean => code === undefined || code === 0 || code === "timeout";

function accountOf(action: Action, { receiver, at }: { readonly receiver: string; readonly at: number }): Account {
  const { code, condition, description } = action as Action & Readonly<Record<string, unknown>>;
  const alone = { receiver, at, others: 0, noun: "server" };
  if (code === undefined) return { kind: "pending", ...alone };
  if (code === "timeout") return { kind: "uncertain", receiver, at };
  if (code !== 0) return { kind: "failed", receiver, result: String(description ?? code), instead: undefined };
  return condition === "alert_cleared"
    ? { kind: "over", receiver, at }
    : { kind: "told", ...alone, attempts: 1, faults: [] };
}

interface Row {
  readonly receiver: string;
  readonly title: string;
  readonly came: readonly Came[];
  readonly last: Came;
}

function rowOf({ receiver, title, came, last }: Row, { phase }: Asked): Telling {
  const told = came.filter(({ verdict }) => verdict === "told").map(({ at }) => at);
  const [first] = told;
  return {
    receiver,
    title,
    ...phase,
    verdict: last.verdict,
    also: [],
    due: null,
    reason: last.reason,
    told: first === undefined ? [] : [{ receiver, title, first, last: told.at(-1) ?? first, count: told.length }],
    history: came.map(({ at, verdict, reason }, index) => ({
      from: at,
      to: came[index + 1]?.at ?? null,
      verdict,
      reason,
    })),
  };
}
