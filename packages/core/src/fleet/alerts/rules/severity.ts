import { isSeverity, SEVERITIES, type Severity } from "../../../wire/severities.ts";

export { isSeverity, SEVERITIES, type Severity };

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
