/** From the least to the worst. */
export const SEVERITIES = ["info", "warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const isSeverity = (value: unknown): value is Severity => SEVERITIES.includes(value as Severity);

interface Grave {
  readonly severity?: unknown;
}

/** What an alert is about may say it itself; definitions say nothing unless a person asked them to. */
export function severityOf({ severity }: Grave, about?: Grave): Severity {
  if (isSeverity(about?.severity)) return about.severity;
  return isSeverity(severity) ? severity : "warning";
}

/** Larger = worse. */
export const weightOf = (severity: unknown): number => (isSeverity(severity) ? SEVERITIES.indexOf(severity) : 1);
