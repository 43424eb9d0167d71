import type { Cradle } from "../../kernel/container.ts";
import { IMPORT_TITLE } from "../transfer/model.ts";
import { type BacktestNotices, createNoticeBacktest } from "./services/backtest/run.ts";
import { createClockWatch } from "./services/clock-watch.ts";
import type { DecideDeps } from "./services/decisions/decide.ts";
import { createDuty, type DutyRoster } from "./services/decisions/duty.ts";
import { createHours, type Hours } from "./services/decisions/hours.ts";
import { createRounds } from "./services/decisions/rounds.ts";
import { createExplainFiring, type ExplainFiring } from "./services/explain/explain.ts";
import { type Contents, createContents } from "./services/messages/contents.ts";
import { createOverlay, type OverlayTold } from "./services/problems/overlay.ts";
import type { CallDeps } from "./services/sending/service-call.ts";
import { createTryReceiver, type TryReceiver } from "./services/sending/trial.ts";
import { createWatchdog } from "./services/watchdog.ts";

/** Decides on notices, delivers them, and explains both (docs/contract/notices.md). */
export interface NoticeService {
  /** Decides about everything that is due. The leader calls it every second. `now` is Unix seconds. */
  decide(now: number, signal: AbortSignal): Promise<void>;
  /** True = nothing is due yet, and nothing has changed. */
  isIdle(now: number): boolean;
  /**
   * Reports a wrong clock of this node, and signals to an external watchdog that notices are decided and delivered. The leader
   * calls it every minute.
   */
  watch(now: number, signal: AbortSignal): Promise<void>;
  /** Must be called after a change that may alter a decision on notices. */
  wake(): void;
  readonly hours: Hours;
  readonly duty: DutyRoster;
  readonly contents: Contents;
  readonly tryReceiver: TryReceiver;
  readonly backtest: BacktestNotices;
  readonly explain: ExplainFiring;
  readonly overlay: OverlayTold;
}

type Deps = DecideDeps &
  CallDeps &
  Pick<
    Cradle,
    | ("actionRunner" | "events" | "expressions" | "internalJobs" | "log" | "mailer" | "nodes")
    | ("silences" | "storage" | "webHooks")
  >;

export function createNoticeService(deps: Deps): NoticeService {
  const hours = createHours(deps);
  const duty = createDuty(deps);
  const watchdog = createWatchdog(deps);
  const watchClock = createClockWatch(deps);
  const rounds = createRounds(deps, { hours, duty });
  // Firings come before their problems in a backup, so they would be told a second time.
  const isImporting = (): boolean => deps.internalJobs.lately().some(({ title }) => title === IMPORT_TITLE);
  let decidedAt = Number.NEGATIVE_INFINITY;
  return {
    hours,
    duty,
    contents: createContents(deps),
    tryReceiver: createTryReceiver(deps, duty),
    backtest: createNoticeBacktest(deps),
    explain: createExplainFiring(deps),
    overlay: createOverlay(deps),
    wake: rounds.wake,
    isIdle: rounds.isIdle,
    async decide(now, signal) {
      if (!isImporting()) await rounds.decide(now, signal);
      if (!signal.aborted) decidedAt = now;
    },
    async watch(now, signal) {
      await watchClock();
      await watchdog.call({ now, decidedAt }, signal);
    },
  };
}
