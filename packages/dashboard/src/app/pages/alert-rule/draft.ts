import type { api } from "../../data/calls/session.ts";

export type Rule = Awaited<ReturnType<typeof api.getAlert>>["alert"];
export type RuleAction = NonNullable<Rule["actions"]>[number];

export const SUBJECTS = ["server", "presence", "event", "heartbeat", "check"] as const;
export type Subject = (typeof SUBJECTS)[number];
const subjectOf = (rule: Rule | undefined): Subject => SUBJECTS.find((one) => one === rule?.subject) ?? "server";

/** True for a rule on servers, which are in groups and run jobs. */
export const isOnServers = (subject: Subject): boolean => subject === "server" || subject === "presence";

/** Initial members of a new rule, by subject. */
export const STARTS: Readonly<Record<Subject, Pick<Draft, "expression" | "message">>> = {
  server: { expression: "monitors.load_avg >= 6", message: "The load average is {{float(monitors.load_avg)}}" },
  presence: {
    expression: "presence.expected && presence.silent_sec > 600",
    message: "No report for {{presence.silent_sec}} seconds",
  },
  event: { expression: "expect.overdue_sec > 0", message: "{{event.title}} is late by {{expect.overdue_sec}} seconds" },
  heartbeat: { expression: "beat.late_sec > 0", message: "Nothing heard in time: {{beat.late_sec}} seconds late" },
  check: { expression: "check.down", message: "{{check.title}} is down: {{check.text}}" },
};

/** A rule as the form edits it. Members that the form does not know stay in the stored record. */
export interface Draft {
  /** Empty for a new rule. */
  readonly id: string;
  readonly title: string;
  readonly expression: string;
  readonly message: string;
  /** Subject of the rule. It never changes once the rule is stored. */
  readonly subject: Subject;
  readonly severity: string;
  readonly samples: string;
  /** Seconds. */
  readonly holds: number | undefined;
  readonly keeps: number | undefined;
  readonly recovery: string;
  /** Number of firings; empty for the default. */
  readonly flaps: string;
  /** Seconds. */
  readonly flapWindow: number | undefined;
  readonly dependsOn: readonly string[];
  readonly inhibits: readonly string[];
  readonly enabled: boolean;
  readonly groups: readonly string[];
  readonly limitJobs: boolean;
  readonly abortJobs: boolean;
  readonly repeat: string;
  readonly tags: string;
  readonly notes: string;
  readonly actions: readonly RuleAction[];
}

/** The label of each member: a key of the alert rule texts. */
export const LABELS = {
  id: "rule",
  title: "name",
  expression: "expressionField",
  message: "message",
  subject: "about",
  severity: "severity",
  samples: "samples",
  holds: "holdsFor",
  keeps: "keeps",
  recovery: "recovery",
  flaps: "flaps",
  flapWindow: "flapWindow",
  dependsOn: "dependsOn",
  inhibits: "inhibits",
  enabled: "enabled",
  groups: "groups",
  limitJobs: "limitJobs",
  abortJobs: "abortJobs",
  repeat: "repeat",
  tags: "tags",
  notes: "notes",
  actions: "who",
} as const satisfies Record<keyof Draft, string>;

/** Severity, when the rule begins and ends to fire, and its relations to other rules. */
const lastingOf = (rule: Rule | undefined) => ({
  severity: rule?.severity ?? "warning",
  holds: rule?.for || undefined,
  keeps: rule?.keep_firing_for || undefined,
  recovery: rule?.recovery ?? "",
  flaps: String(rule?.flap_count ?? ""),
  flapWindow: rule?.flap_window ?? undefined,
  dependsOn: rule?.depends_on ?? [],
  inhibits: rule?.inhibits ?? [],
});

export function draftOf(rule: Rule | undefined): Draft {
  const subject = subjectOf(rule);
  const { expression, message } = rule ?? STARTS[subject];
  return {
    id: rule?.id ?? "",
    title: rule?.title ?? "",
    subject,
    expression,
    message,
    ...lastingOf(rule),
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

export const tagsIn = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

/** The record to send. */
export function recordOf(draft: Draft) {
  const { title, expression, message, enabled, notes, severity } = draft;
  return {
    title: title.trim(),
    expression,
    message,
    enabled,
    notes,
    severity,
    for: draft.holds ?? 0,
    keep_firing_for: draft.keeps ?? 0,
    recovery: draft.recovery.trim() || null,
    flap_count: draft.flaps === "" ? null : Number(draft.flaps),
    flap_window: draft.flapWindow ?? null,
    depends_on: [...draft.dependsOn],
    inhibits: [...draft.inhibits],
    samples: Number(draft.samples) || 1,
    groups: [...draft.groups],
    limit_jobs: draft.limitJobs,
    abort_jobs: draft.abortJobs,
    repeat_minutes: Number(draft.repeat) || 0,
    tags: tagsIn(draft.tags),
    // Sent unchecked: the server validates them and names the wrong member of the wrong action.
    actions: [...draft.actions] as never,
  };
}

export interface PartProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}
