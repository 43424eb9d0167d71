import type { Alert } from "../model.ts";

/** From the least to the worst. */
export const SEVERITIES = ["info", "warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const isSeverity = (value: unknown): value is Severity => SEVERITIES.includes(value as Severity);

/** Definitions say nothing about it unless a person asked them to. */
export const severityOf = ({ severity }: Pick<Alert, "severity">): Severity =>
  isSeverity(severity) ? severity : "warning";

/** Larger = worse. */
export const weightOf = (severity: unknown): number => (isSeverity(severity) ? SEVERITIES.indexOf(severity) : 1);
