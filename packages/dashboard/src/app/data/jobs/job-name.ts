import { hasPage } from "../../router/find-page.ts";
import { titleOf } from "../records/lists.ts";

interface Job {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  /** "adhoc": a sub-job that its graph node describes, without an event of its own. */
  readonly type?: unknown;
  readonly plabel?: unknown;
  readonly plugin?: unknown;
  readonly workflow?: unknown;
}

/** True for a job of an event, which can run again. */
export const hasEvent = ({ event, type }: Job): boolean => Boolean(event) && type !== "adhoc";

/** The page of an event; workflows have their own pages. */
export const eventPath = ({ id, type }: { readonly id: string; readonly type?: unknown }): string =>
  type === "workflow" && hasPage(`/workflows/${id}`) ? `/workflows/${id}` : `/events/${id}`;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * The title of the job's event. For a sub-job without an event: the label of its graph node, or its plugin, with the workflow.
 */
export function jobName(job: Job): string {
  if (hasEvent(job)) return titleOf("events", job.event);
  const workflow = textOf((job.workflow as { readonly event?: unknown } | undefined)?.event) || job.event;
  const own = textOf(job.plabel) || titleOf("plugins", textOf(job.plugin));
  return [own, titleOf("events", workflow)].filter(Boolean).join(" · ") || (job.id ?? "");
}
