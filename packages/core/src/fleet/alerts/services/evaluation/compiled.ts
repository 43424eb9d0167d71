import type { Cradle } from "../../../../kernel/container.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import { alertCollection } from "../../collection.ts";
import type { Alert } from "../../model.ts";
import { type Kind, kindOf } from "../../rules/definition/subjects.ts";
import type { Verdict } from "../../rules/evaluation/evaluate.ts";
import { createJudge, NONE, type Test } from "../../rules/evaluation/judge.ts";

/**
 * A compiled definition. Neither function throws. Compilation is lazy: otherwise a start would spend a tenth of its
 * time on alerts that get no samples yet.
 */
export interface CompiledAlert {
  readonly alert: Alert;
  readonly kind: Kind;
  readonly judge: (context: unknown) => Verdict;
  readonly message: (context: unknown) => string;
}

/** Errors since the start in evaluating an alert. */
export interface EvaluationErrors {
  readonly count: number;
  /** Text of the last error. */
  readonly text: string;
  /** Unix seconds of the last error. */
  readonly date: number;
}

/** Compiled definitions, compiled once per change, with the errors that they caused. */
export interface CompiledAlerts {
  /** Enabled alerts, in the order in which they are evaluated. */
  all(): readonly CompiledAlert[];
  errorsOf(alert: string): EvaluationErrors | undefined;
}

const LOG_EVERY_SEC = 3600;

type Deps = Pick<Cradle, "clock" | "definitions" | "expressions" | "log">;
type Note = (alert: string, error: unknown) => void;

export function createCompiledAlerts(deps: Deps): CompiledAlerts {
  const { definitions } = deps;
  /** Stored definitions are frozen and replaced as a whole, so the record itself is the key. */
  const known = new WeakMap<Alert, CompiledAlert>();
  const errors = createErrorLog(deps);
  let list: readonly CompiledAlert[] = [];
  let revision = -1;
  const compile = (alert: Alert): CompiledAlert => {
    const compiled = known.get(alert) ?? compileAlert(alert, deps, errors.note);
    known.set(alert, compiled);
    return compiled;
  };
  return {
    all() {
      const current = definitions.revision(alertCollection);
      if (current !== revision) {
        list = definitions.all(alertCollection).map(compile);
        errors.keep(new Set(list.map(({ alert }) => alert.id)));
        revision = current;
      }
      return list;
    },
    errorsOf: errors.of,
  };
}

function compileAlert(alert: Alert, { expressions }: Deps, note: Note): CompiledAlert {
  const guard = guardOf(alert.id, note);
  const test = (source: string): Test | undefined => {
    const compiled = guard(() => expressions.compile(source), undefined)(undefined);
    return compiled && guard((context) => Boolean(compiled.evaluate(context)), undefined);
  };
  const compile = () => ({
    judge: createJudge(test(alert.expression), alert.recovery ? test(alert.recovery) : NONE),
    template: guard(() => expressions.compileTemplate(alert.message), undefined)(undefined),
  });
  let compiled: ReturnType<typeof compile> | undefined;
  const parts = (): ReturnType<typeof compile> => (compiled ??= compile());
  return {
    alert,
    kind: kindOf(alert),
    judge: (context) => parts().judge(context),
    message: (context) => parts().template?.expand(context, { undefinedText: "" }) ?? "",
  };
}

/** Turns an exception into a note and a fallback value: one bad definition must not stop the minute of a server. */
function guardOf(id: string, note: Note) {
  return <T>(work: (context: unknown) => T, fallback: T) =>
    (context: unknown): T => {
      try {
        return work(context);
      } catch (error) {
        note(id, error);
        return fallback;
      }
    };
}

function createErrorLog({ clock, log }: Pick<Deps, "clock" | "log">) {
  const errors = new Map<string, EvaluationErrors & { readonly loggedAt: number }>();
  const note: Note = (alert, error) => {
    const text = messageOf(error);
    const date = Math.floor(clock.now());
    const before = errors.get(alert);
    const isDue = !before || date - before.loggedAt >= LOG_EVERY_SEC;
    if (isDue) log.warn({ alert, error: text }, "The expression of an alert failed; it counts as false");
    errors.set(alert, { count: (before?.count ?? 0) + 1, text, date, loggedAt: isDue ? date : before.loggedAt });
  };
  return {
    note,
    /** Drops errors of alerts that no longer exist. */
    keep(ids: ReadonlySet<string>): void {
      for (const id of errors.keys()) if (!ids.has(id)) errors.delete(id);
    },
    of(alert: string): EvaluationErrors | undefined {
      const found = errors.get(alert);
      return found && { count: found.count, text: found.text, date: found.date };
    },
  };
}
