import type { Receiver } from "../../model.ts";

const DEFAULT_PER_HOUR = 30;

/** Notices within an hour; 0 = any number. Critical ones may be twice as many; web hooks are read by programs. */
export function perHourOf(receiver: Pick<Receiver, "type" | "max_per_hour"> | undefined, severity: string): number {
  const most = receiver?.max_per_hour ?? (receiver?.type === "web_hook" ? 0 : DEFAULT_PER_HOUR);
  return severity === "critical" ? most * 2 : most;
}
