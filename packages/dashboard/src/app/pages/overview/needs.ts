import type { StateName } from "../../parts/basic.tsx";

/** Something that waits for a person, whatever it is. */
export interface Need {
  readonly key: string;
  readonly state: StateName;
  /** Unix seconds since when. */
  readonly since: number;
  readonly about: NeedOf;
}

export type NeedOf =
  | { readonly kind: "alert"; readonly invocation: FiringAlert }
  | { readonly kind: "job"; readonly job: FailedJob };

export interface FiringAlert {
  readonly id: string;
  readonly alert: string;
  readonly server: string;
  readonly date: number;
  readonly message: string;
  readonly acknowledged?: unknown;
}

export interface FailedJob {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly server?: string | undefined;
  readonly completed?: number | undefined;
  readonly code?: unknown;
  readonly description?: string | undefined;
  readonly retried?: boolean | undefined;
  readonly retry_ok?: boolean | undefined;
  readonly params?: unknown;
}

interface Facts {
  readonly firing: readonly FiringAlert[];
  /** Failed ones, newest first. */
  readonly failed: readonly FailedJob[];
  /** Newest end of a good run of each event. */
  readonly goodSince: ReadonlyMap<string, number>;
}

const ORDER: readonly StateName[] = ["crit", "fail", "gone", "warn", "wait"];

/**
 * What needs a person, the worst first: alerts that nobody has taken over, and events whose newest run failed for good. A
 * failure that another attempt, or a later run, has made good needs nobody.
 */
export function needsOf({ firing, failed, goodSince }: Facts): Need[] {
  const alerts = firing
    .filter(({ acknowledged }) => !acknowledged)
    .map(
      (invocation): Need => ({
        key: `alert ${invocation.id}`,
        state: "crit",
        since: invocation.date,
        about: { kind: "alert", invocation },
      }),
    );
  const seen = new Set<string>();
  const jobs = failed.flatMap((job): Need[] => {
    const { event = "", completed = 0 } = job;
    if (seen.has(event)) return [];
    seen.add(event);
    if (job.retried || job.retry_ok || (goodSince.get(event) ?? 0) > completed) return [];
    return [
      {
        key: `job ${job.id}`,
        state: job.code === "critical" ? "crit" : "fail",
        since: completed,
        about: { kind: "job", job },
      },
    ];
  });
  return [...alerts, ...jobs].sort(
    (left, right) => ORDER.indexOf(left.state) - ORDER.indexOf(right.state) || right.since - left.since,
  );
}
