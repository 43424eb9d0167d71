/** Severities, from least to most severe. */
export const SEVERITIES = ["info", "warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const isSeverity = (value: unknown): value is Severity => SEVERITIES.includes(value as Severity);
