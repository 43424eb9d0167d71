import type { Actor } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { launchJob, planRun, RunEvent } from "../operations/run-plan.ts";

/** A run that another domain asks for on behalf of a caller. */
export interface AskedRun {
  /** Members of a call of run_event, with the same checks. */
  readonly call: Readonly<Record<string, unknown>> & { readonly id: string };
  /** Members of the job that the caller must not choose. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Launches jobs for callers, by the rules of run_event (docs/contract/events.md#running). */
export interface EventRuns {
  /** Returns the id of the job. Throws the errors of run_event. */
  launch(unit: Unit, run: AskedRun, actor: Actor): Promise<string>;
}

type Deps = Pick<Cradle, "config" | "eventChecks" | "eventRecords" | "graphs" | "launcher" | "references">;

export function createEventRuns(deps: Deps): EventRuns {
  return {
    async launch(unit, { call, members }, actor) {
      const context = { ...unit, actor, config: deps.config, services: deps };
      const { request } = await planRun(RunEvent.parse(call), context);
      const asked = { ...request, overrides: { ...request.overrides, ...members } };
      return launchJob(asked, undefined, context);
    },
  };
}
