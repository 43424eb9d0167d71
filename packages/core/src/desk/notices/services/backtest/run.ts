import type { Invocation } from "../../../../fleet/alerts/model.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath, takeSteps } from "../../../../kernel/running/breath.ts";
import { twoAtOnce } from "../../../../kernel/trials.ts";
import { byId } from "../../../../lib/by-id.ts";
import { sortedOut } from "../../rules/backtest/definitions.ts";
import { leadOf } from "../../rules/backtest/lead.ts";
import { type PastFiring, type PastRules, type Replayed, replay } from "../../rules/backtest/replay.ts";
import type { Trial } from "../../rules/backtest/trial.ts";
import { pastFirings } from "./firings.ts";
import { type Happened, happeningsOf } from "./happenings.ts";
import type { Subjects } from "./lanes.ts";
import type { PastSpan, Read } from "./past.ts";
import { createPastSilences } from "./quiet.ts";
import { rulesOf } from "./rules.ts";

/** Definitions to try out over the stored data of a span. */
export interface NoticeBacktest extends PastSpan {
  readonly read: Read;
  readonly signal: AbortSignal;
  readonly trial: Trial;
  readonly subjects: Subjects;
  /** Whether the back-test covers a stored firing. */
  readonly isMeant: (invocation: Invocation) => boolean;
  /** Minutes after which each firing counts as acknowledged; undefined = as in the past. */
  readonly acknowledgeAfter: number | undefined;
}

export interface BacktestedNotices extends Replayed {
  readonly firings: readonly PastFiring[];
  /** Firings by the ids that notices name. */
  readonly happened: ReadonlyMap<string, Happened>;
  readonly unknownPaths: readonly string[];
}

/**
 * Answers the notices that would have been sent. Nothing is stored or sent. Throws `RateError` while too many back-tests run,
 * `TooMuch` beyond a bound on data.
 */
export type BacktestNotices = (request: NoticeBacktest) => Promise<BacktestedNotices>;

const MOST = { notices: 10_000, looks: 5_000_000 };

type Deps = Pick<
  Cradle,
  | ("alerts" | "checks" | "clock" | "config" | "definitions" | "expectations" | "expressions")
  | ("heartbeats" | "servers" | "snapshot")
>;

export const createNoticeBacktest = (deps: Deps): BacktestNotices =>
  twoAtOnce("Too many back-tests are running.", (request) => run(deps, request));

async function run(deps: Deps, request: NoticeBacktest): Promise<BacktestedNotices> {
  const { to, read, signal, trial, subjects, isMeant, acknowledgeAfter } = request;
  const alerts = [...trial.alerts.values()];
  const stored = byId(deps.alerts.definitions());
  const sorted = sortedOut(alerts, stored, deps.expressions.pathsOf);
  const from = request.from - leadOf(trial);
  const found = await happeningsOf(deps, { from, to, read, signal, sorted, subjects, isMeant });
  const silences = createPastSilences(
    deps,
    [...trial.silences.values()],
    { from, to },
    createBreath(deps.clock, signal),
  );
  const asked = { read, signal, to, alerts: trial.alerts, silences, acknowledgeAfter };
  const firings = await pastFirings(deps, found, asked);
  const replayed = await replayAll(deps, firings, await rulesOf(deps, request, firings), signal);
  const happened = byId(found.all);
  return { ...replayed, firings, happened, unknownPaths: sorted.unknown };
}

async function replayAll(
  { clock }: Deps,
  firings: readonly PastFiring[],
  rules: PastRules,
  signal: AbortSignal,
): Promise<Replayed> {
  const breathe = createBreath(clock, signal);
  return takeSteps(replay(firings, rules, MOST), async () => {
    await breathe();
    signal.throwIfAborted();
  });
}
