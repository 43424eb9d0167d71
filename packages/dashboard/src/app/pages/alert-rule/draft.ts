import type { api } from "../../data/session.ts";

export type Rule = Awaited<ReturnType<typeof api.getAlert>>["alert"];
export type RuleAction = Rule["actions"][number];

/** A rule as the form holds it; members that the form does not know stay in the record. */
export interface Draft {
  readonly title: string;
  readonly expression: string;
  readonly message: string;
  readonly samples: string;
  readonly enabled: boolean;
  readonly groups: readonly string[];
  readonly limitJobs: boolean;
  readonly abortJobs: boolean;
  readonly repeat: string;
  readonly tags: string;
  readonly notes: string;
  readonly actions: readonly RuleAction[];
}

export function draftOf(rule: Rule | undefined): Draft {
  return {
    title: rule?.title ?? "",
    expression: rule?.expression ?? "monitors.load_avg >= 6",
    message: rule?.message ?? "The load average is {{float(monitors.load_avg)}}",
    samples: String(rule?.samples ?? 1),
    enabled: rule ? Boolean(rule.enabled) : true,
    groups: rule?.groups ?? [],
    limitJobs: Boolean(rule?.limit_jobs),
    abortJobs: Boolean(rule?.abort_jobs),
    repeat: rule?.repeat_minutes ? String(rule.repeat_minutes) : "",
    tags: (rule?.tags ?? []).join(", "),
    notes: rule?.notes ?? "",
    actions: rule?.actions ?? [],
  };
}

/** The server checks actions and says which member of which is wrong. */
type SentActions = NonNullable<Parameters<typeof api.updateAlert>[0]["actions"]>;

/** What is sent. */
export function recordOf(draft: Draft) {
  const { title, expression, message, enabled, notes } = draft;
  return {
    ...{ title: title.trim(), expression, message, enabled, notes },
    samples: Number(draft.samples) || 1,
    groups: [...draft.groups],
    limit_jobs: draft.limitJobs,
    abort_jobs: draft.abortJobs,
    repeat_minutes: Number(draft.repeat) || 0,
    tags: draft.tags
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
    actions: [...draft.actions] as SentActions,
  };
}

export interface PartProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}
