import { type Calendar, createCalendar, partsOf } from "../../../../lib/time/calendar.ts";
import type { SecretVariable } from "../../../secrets/model.ts";

/** One launch about which a scheduler plugin decides (docs/contract/plugins.md#scheduler-plugins). */
export interface TriggerItem {
  readonly type: "plugin";
  readonly enabled: true;
  readonly plugin_id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly timezone: string;
  readonly dargs: Readonly<Record<string, number>>;
  /** Unix seconds of a whole minute. */
  readonly now: number;
  readonly job: Readonly<Record<string, unknown>>;
}

interface Trial {
  readonly pluginId: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** A known IANA name. */
  readonly timezone: string;
  /** Unix seconds. */
  readonly epoch: number;
}

/** The single item of a trial run, about a job that does not exist. */
export const trialItem = (trial: Trial): TriggerItem =>
  triggerItem({ ...trial, calendar: createCalendar(), job: { id: "1234567890", label: "Test" } });

interface Candidate extends Trial {
  readonly calendar: Calendar;
  /** The job to launch. */
  readonly job: Readonly<Record<string, unknown>>;
}

/** The question to a scheduler plugin about one due job. */
export function triggerItem({ calendar, epoch, job, params, pluginId, timezone }: Candidate): TriggerItem {
  const now = Math.floor(epoch / 60) * 60;
  const { reverseDay: rday, year, month, day, weekday, hour, minute } = partsOf(calendar.wallOf(now, timezone));
  return {
    type: "plugin",
    enabled: true,
    plugin_id: pluginId,
    params,
    timezone,
    dargs: { year, month, day, rday, weekday, hour, minute },
    now,
    job,
  };
}

interface Request {
  readonly items: readonly TriggerItem[];
  readonly variables: readonly SecretVariable[];
  readonly baseUrl: string;
  readonly activeJobs: readonly unknown[];
}

/** The line that the plugin reads from its standard input. */
export function triggerLine({ items, variables, baseUrl, activeJobs }: Request): string {
  const secrets = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const line = { xy: 1, type: "trigger", items, secrets, base_url: baseUrl, active_jobs: activeJobs };
  return `${JSON.stringify(line)}\n`;
}

/** Bytes. The kernel refuses a variable of 128 KiB or more, and with it the whole process. */
const MAX_VALUE = 131_000;
const MAX_TOTAL = 1_000_000;

/**
 * Secrets and facts as environment variables; facts win. Omits secrets that are too large for the kernel: the plugin gets them in
 * its input.
 */
export function triggerEnvironment(
  variables: readonly Pick<SecretVariable, "name" | "value">[],
  facts: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  let room = MAX_TOTAL;
  for (const { name, value } of variables) {
    const size = Buffer.byteLength(value);
    if (value.includes("\0") || size > MAX_VALUE || size > room) continue;
    room -= size;
    environment[name] = value;
  }
  return { ...environment, ...facts };
}
