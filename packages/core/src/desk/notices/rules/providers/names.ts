/** Services that are spoken to without a web hook. */
export const SERVICES = [
  ...(["slack", "teams", "discord", "telegram", "pagerduty", "opsgenie", "ntfy", "matrix"] as const),
] as const;
export type Service = (typeof SERVICES)[number];
