import type { Cradle } from "../../kernel/container.ts";
import type { Unit } from "../../kernel/unit-of-work.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { alertCollection, invocationCollection, stateCollection } from "./collection.ts";
import { type Backtest, createBacktest } from "./services/backtest.ts";
import { type CompiledAlerts, createCompiledAlerts, type EvaluationErrors } from "./services/compiled.ts";
import { createDisplay } from "./services/display.ts";
import { type AlertEvaluation, createAlertEvaluation } from "./services/evaluation.ts";
import { createExplain, createTryOut, type Explain, type TryOut } from "./services/explain.ts";
import { createMaintenance, type MaintainAlerts } from "./services/maintenance.ts";
import { createNotify, type Notify } from "./services/notify.ts";
import { createRepeats, type RepeatAll } from "./services/repeats.ts";
import { createTransitions } from "./services/transitions.ts";
import { createUpkeep, type Upkeep } from "./services/upkeep.ts";

/** Alerts over time, and the checks that saving a definition needs. */
export interface AlertService extends Upkeep {
  readonly evaluation: AlertEvaluation;
  readonly notify: Notify;
  /** Servers that are not chosen for new jobs because of a live alert (part 22 §5.6). */
  limitedServers(tx: ReadTx): Promise<ReadonlySet<string>>;
  /** Notes jobs that were sent to a server in its live invocations; the newest 100 are kept. */
  jobsSent(unit: Unit, server: string, jobs: readonly string[]): Promise<void>;
  errorsOf(alert: string): EvaluationErrors | undefined;
  readonly explain: Explain;
  readonly tryOut: TryOut;
  readonly backtest: Backtest;
  readonly repeat: RepeatAll;
  readonly maintain: MaintainAlerts;
  /** Why an expression cannot be saved. */
  expressionFault(expression: string): string | undefined;
  /** Why a message cannot be saved. */
  messageFault(message: string): string | undefined;
}

const JOBS_KEPT = 100;

export function createAlerts(cradle: Cradle): AlertService {
  const { definitions, expressions } = cradle;
  const display = createDisplay(cradle);
  const compiled: CompiledAlerts = createCompiledAlerts(cradle);
  const transitions = createTransitions(cradle, display);
  const tryOut = createTryOut(cradle);
  return {
    ...createUpkeep(cradle, transitions),
    evaluation: createAlertEvaluation(cradle, compiled, transitions),
    notify: createNotify(cradle, display),
    errorsOf: compiled.errorsOf,
    tryOut,
    explain: createExplain(cradle, tryOut),
    backtest: createBacktest(cradle),
    repeat: createRepeats(cradle),
    maintain: createMaintenance(cradle),
    async limitedServers(tx) {
      const limiting = definitions.all(alertCollection).filter(({ limit_jobs }) => limit_jobs);
      if (limiting.length === 0) return new Set();
      const words = limiting.map(({ id }) => id);
      const { rows } = await tx.collection(stateCollection).find({ kind: "term", field: "alert", words });
      return new Set(rows.filter(({ notified }) => notified).map(({ server }) => server));
    },
    async jobsSent({ tx }, server, jobs) {
      const { rows } = await tx.collection(stateCollection).find({ kind: "term", field: "server", words: [server] });
      const invocations = tx.collection(invocationCollection);
      for (const { invocation } of rows.filter(({ notified }) => notified)) {
        if (!(await invocations.get(invocation))) continue;
        await invocations.update(invocation, (stored) => ({
          ...stored,
          jobs: [...new Set([...stored.jobs, ...jobs])].slice(-JOBS_KEPT),
        }));
      }
    },
    expressionFault(expression) {
      try {
        expressions.compile(expression);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    messageFault(message) {
      try {
        return expressions.compileTemplate(message).errors[0]?.error.message;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}
