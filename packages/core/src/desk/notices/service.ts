import type { Cradle } from "../../kernel/container.ts";
import type { SearchNode } from "../../search/ast.ts";
import { problemCollection, routeCollection } from "./collection.ts";
import { type BacktestNotices, createNoticeBacktest } from "./services/backtest/run.ts";
import { type DecideDeps, decideOne } from "./services/decide.ts";
import { createDuty, type DutyRoster } from "./services/duty.ts";
import { createExplainFiring, type ExplainFiring } from "./services/explain/explain.ts";
import { createHours, type Hours } from "./services/hours.ts";
import { takeIn } from "./services/intake.ts";
import { createOverlay, type OverlayTold } from "./services/overlay.ts";
import type { CallDeps } from "./services/service-call.ts";
import { createTryReceiver, type TryReceiver } from "./services/trial.ts";
import { createWatchdog } from "./services/watchdog.ts";

/** Which receiver is told of what, when, and why not (docs/contract/notices.md). */
export interface NoticeService {
  /** Decides what is due; for the leader, every second. `now` is Unix seconds. */
  decide(now: number, signal: AbortSignal): Promise<void>;
  /** Tells a watchdog outside that notices are decided and delivered; for the leader, every minute. */
  watch(now: number, signal: AbortSignal): Promise<void>;
  /** To be called after a change that may alter which receiver is told what. */
  wake(): void;
  readonly hours: Hours;
  readonly duty: DutyRoster;
  readonly tryReceiver: TryReceiver;
  readonly backtest: BacktestNotices;
  readonly explain: ExplainFiring;
  readonly overlay: OverlayTold;
}

/** What other nodes do is found by looking; what happens here is told. Seconds. */
const LOOK_EVERY_SEC = 10;
const PAGE = 200;
const open: SearchNode = { kind: "term", field: "state", words: ["open"] };

type Deps = DecideDeps &
  CallDeps &
  Pick<Cradle, "actionRunner" | "events" | "log" | "mailer" | "silences" | "webHooks">;

export function createNoticeService(deps: Deps): NoticeService {
  const hours = createHours(deps);
  const duty = createDuty(deps);
  const watchdog = createWatchdog(deps);
  let next = Number.NEGATIVE_INFINITY;
  let decidedAt = Number.NEGATIVE_INFINITY;
  const decideAll = async (now: number, signal: AbortSignal): Promise<void> => {
    if (now < next || !deps.config.notices.enabled) return;
    next = now + LOOK_EVERY_SEC;
    const isRouted = deps.definitions.all(routeCollection).some(({ enabled }) => enabled);
    if (isRouted || deps.alerts.byProblem.isUsed()) await takeIn(deps, hours, signal);
    for await (const id of openProblems(deps)) {
      if (signal.aborted) return;
      const due = await decideOne(deps, { hours, duty }, id);
      next = Math.min(next, Math.max(due ?? Number.POSITIVE_INFINITY, now + 1));
    }
  };
  return {
    hours,
    duty,
    tryReceiver: createTryReceiver(deps, duty),
    backtest: createNoticeBacktest(deps),
    explain: createExplainFiring(deps),
    overlay: createOverlay(deps),
    wake() {
      next = Number.NEGATIVE_INFINITY;
    },
    async decide(now, signal) {
      await decideAll(now, signal);
      if (!signal.aborted) decidedAt = now;
    },
    watch: (now, signal) => watchdog.call({ now, decidedAt }, signal),
  };
}

/** By id, page by page: problems close while they are worked on. */
async function* openProblems({ snapshot }: Deps): AsyncGenerator<string> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rest: SearchNode = { kind: "compare", field: "id", operator: "gt", value: after };
    const where: SearchNode = { kind: "and", nodes: [open, rest] };
    const { rows }: { rows: readonly { readonly id: string }[] } = await snapshot((tx) =>
      tx.collection(problemCollection).find(where, { sortBy: "id", limit: PAGE }),
    );
    for (const { id } of rows) yield id;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}
