/** Services that the engine can call without a web hook. */
export const SERVICES = [
  ...(["slack", "teams", "discord", "telegram", "pagerduty", "opsgenie", "ntfy", "matrix"] as const),
] as const;
export type Service = (typeof SERVICES)[number];

/** Services that keep the state of a problem until they are notified of its end. */
const KEEPERS: ReadonlySet<string> = new Set(["pagerduty", "opsgenie"]);

/** Whether a receiver is a service that keeps states, called directly or through a web hook. */
export const keepsState = ({
  type,
  format,
}: {
  readonly type: string;
  readonly format?: string | null | undefined;
}): boolean => KEEPERS.has(format || type);
