import { isSeverity, SEVERITIES, type Severity } from "../../../../wire/severities.ts";

export { isSeverity, SEVERITIES, type Severity };

interface Grave {
  readonly severity?: unknown;
}

/** Severity of a firing: of the subject, else of the definition, else "warning". */
export function severityOf({ severity }: Grave, about?: Grave): Severity {
  if (isSeverity(about?.severity)) return about.severity;
  return isSeverity(severity) ? severity : "warning";
}

/** Rank of a severity; larger = worse. */
export const weightOf = (severity: unknown): number => (isSeverity(severity) ? SEVERITIES.indexOf(severity) : 1);
