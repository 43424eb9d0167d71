/** Services that are spoken to without a web hook. */
export const SERVICES = [
  ...(["slack", "teams", "discord", "telegram", "pagerduty", "opsgenie", "ntfy", "matrix"] as const),
] as const;
export type Service = (typeof SERVICES)[number];

/** Services that keep the state of a problem until they hear that it is over. */
const KEEPERS: ReadonlySet<string> = new Set(["pagerduty", "opsgenie"]);

/** Whether a receiver is a service that keeps states, by itself or behind a web hook. */
export const keepsState = ({
  type,
  format,
}: {
  readonly type: string;
  readonly format?: string | null | undefined;
}): boolean => KEEPERS.has(format || type);
