/** A job system to be measured, in its own process together with the requester of its jobs. */
import type { JobsOrder, JobsReport, JobsResult } from "./jobs.ts";
import { type JobSite, openSite } from "./jobs-sites.ts";

const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Keeps this many jobs under way, from request to end, until the time is over. */
async function runFor({ start }: JobSite, ms: number, underWay: number): Promise<number> {
  const until = performance.now() + ms;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (; performance.now() < until; done++) {
      const { ended } = await start();
      await ended;
    }
  };
  await Promise.all(Array.from({ length: underWay }, worker));
  return done;
}

/** Runs jobs one after another: milliseconds from the request to the start of the handler. */
async function launchTimes({ start }: JobSite, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const asked = performance.now();
    const { started, ended } = await start();
    times.push((await started) - asked);
    await ended;
  }
  return times;
}

async function obey(site: JobSite, { ms, underWay, launches }: JobsOrder): Promise<JobsResult> {
  const began = performance.now();
  const { user, system } = process.cpuUsage();
  const done = ms > 0 ? await runFor(site, ms, underWay) : 0;
  const spent = process.cpuUsage({ user, system });
  const tookMs = performance.now() - began;
  const times = launches > 0 ? await launchTimes(site, launches) : [];
  const p50Ms = percentile(times, 0.5);
  return { done, tookMs, cpuMicros: spent.user + spent.system, p50Ms, p99Ms: percentile(times, 0.99) };
}

const [kind = "", place = ""] = process.argv.slice(2);
const site = await openSite(kind, place);
process.on("message", (order: JobsOrder) => {
  obey(site, order).then(
    (result) => process.send?.(result satisfies JobsReport),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true } satisfies JobsReport);
