import type { Clock } from "../../../ports/clock.ts";

const PER_MINUTE = 60;
const WINDOW_SEC = 60;
/** Jobs kept; beyond that, jobs without a call in the last minute are forgotten. */
const MAX_JOBS = 1000;

/** Counts the calls in the name of a job; false when it had sixty within the last minute. */
export function createJobRate({ clock }: { readonly clock: Clock }): (job: string) => boolean {
  const calls = new Map<string, readonly number[]>();
  return (job) => {
    const oldest = clock.now() - WINDOW_SEC;
    if (calls.size >= MAX_JOBS) forget(calls, oldest);
    const recent = (calls.get(job) ?? []).filter((time) => time > oldest);
    if (recent.length >= PER_MINUTE) return false;
    calls.set(job, [...recent, clock.now()]);
    return true;
  };
}

function forget(calls: Map<string, readonly number[]>, oldest: number): void {
  for (const [id, times] of calls) if ((times.at(-1) ?? 0) <= oldest) calls.delete(id);
}
