import type { Event, Trigger } from "../../events/model.ts";
import { paramsOf } from "../../events/rules/triggers/normalise.ts";
import type { LaunchRequest } from "../../jobs/model.ts";

/**
 * Merges the trigger's parameters, adds its tags, and puts its data into the job's input (docs/contract/schedules.md#triggers).
 */
export function fromTrigger(event: Event, trigger: Trigger): Pick<LaunchRequest, "params" | "addTags" | "input"> {
  const { data, tags } = trigger;
  const isData = typeof data === "object" && data !== null;
  return {
    params: { ...event.params, ...paramsOf(trigger) },
    ...(Array.isArray(tags) ? { addTags: tags as string[] } : {}),
    ...(isData ? { input: { data: Array.isArray(data) ? { items: data } : { ...data } } } : {}),
  };
}
