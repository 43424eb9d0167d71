import type { Cradle } from "../../../../kernel/container.ts";
import type { Act, ActionOutcome } from "../../../../kernel/plugins/action-type.ts";
import { createTrials } from "../../../../kernel/trials.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import type { Receiver } from "../../model.ts";
import { keepsState } from "../../rules/providers/names.ts";
import { trialNotice } from "../../rules/texts/trial.ts";
import type { DutyRoster } from "../decisions/duty.ts";
import type { CallDeps } from "./service-call.ts";
import { carry } from "./ways.ts";

/**
 * Sends a test notice to a receiver in the same way as other notices, and answers its result. Nothing is stored, and no fallback
 * is notified on failure. Throws `RateError` after too many within a minute.
 */
export type TryReceiver = (receiver: Receiver, by: string, signal: AbortSignal) => Promise<ActionOutcome>;

type Deps = CallDeps &
  Pick<Cradle, "actionRunner" | "clock" | "config" | "definitions" | "events" | "ids" | "mailer" | "webHooks">;

export function createTryReceiver(deps: Deps, duty: DutyRoster): TryReceiver {
  const { clock, config, ids } = deps;
  const act = actBy(deps);
  const takeTrial = createTrials(deps, "Too many receivers were tested within a minute.");
  return async (receiver, by, signal) => {
    takeTrial();
    const shared = { receiver, by, id: ids.short("no"), now: Math.floor(clock.now()), product: config.client.name };
    const baseUrl = config.base_app_url;
    const tell = (kind: "firing" | "cleared") =>
      carry({ receiver, signal, ...trialNotice({ ...shared, baseUrl, kind }) }, { ...deps, act, duty, service: deps });
    const outcome = await tell("firing");
    // A service that keeps a state would leave the test open forever.
    return outcome.code === 0 && keepsState(receiver) ? tell("cleared") : outcome;
  };
}

/** Runs an action in the same way as actions of alerts. */
const actBy =
  ({ actionRunner }: Deps): Act =>
  async (type, { action, data, idempotencyKey, signal }) => {
    const [done] = await actionRunner.run({
      side: "alert",
      actions: [action as Action],
      data,
      key: idempotencyKey,
      signal,
    });
    const { code = "notice", description = `Unknown action type: ${type}`, details } = (done ?? {}) as ActionOutcome;
    return { code, description, ...(details === undefined ? {} : { details }) };
  };
