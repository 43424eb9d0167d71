import type { Cradle } from "../../kernel/container.ts";
import type { Unit } from "../../kernel/unit-of-work.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { alertCollection, invocationCollection, stateCollection } from "./collection.ts";
import { type CompiledAlerts, createCompiledAlerts, type EvaluationErrors } from "./services/compiled.ts";
import { createDisplay } from "./services/display.ts";
import { createEvaluateAlerts, type EvaluateAlerts } from "./services/evaluation.ts";
import { createNotify, type Notify } from "./services/notify.ts";
import { createTransitions } from "./services/transitions.ts";
import { createUpkeep, type Upkeep } from "./services/upkeep.ts";

/** Alerts over time, and the checks that saving a definition needs. */
export interface AlertService extends Upkeep {
  readonly evaluate: EvaluateAlerts;
  readonly notify: Notify;
  /** Servers that are not chosen for new jobs because of a live alert (part 22 §5.6). */
  limitedServers(tx: ReadTx): Promise<ReadonlySet<string>>;
  /** Notes jobs that were sent to a server in its live invocations; the newest 100 are kept. */
  jobsSent(unit: Unit, server: string, jobs: readonly string[]): Promise<void>;
  errorsOf(alert: string): EvaluationErrors | undefined;
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
  return {
    ...createUpkeep(cradle, transitions),
    evaluate: createEvaluateAlerts(cradle, compiled, transitions),
    notify: createNotify(cradle, display),
    errorsOf: compiled.errorsOf,
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
