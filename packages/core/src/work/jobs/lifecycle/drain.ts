import type { Cradle } from "../../../kernel/container.ts";
import { pause } from "../../../kernel/running/loops.ts";
import type { JobPlaces } from "../start/places.ts";
import type { JobDesk } from "./job-desk.ts";

/** The end of the engine, for jobs inside this process. */
export interface Drain {
  /** True = nothing is started any more. */
  readonly isOn: boolean;
  /** Waits at most `drain_timeout_sec` for the jobs that would end with this process. */
  run(): Promise<void>;
}

const LOOK_MS = 100;

type Deps = Pick<Cradle, "clock" | "config" | "log">;

export function createDrain(
  { clock, config, log }: Deps,
  { desk, places }: { readonly desk: JobDesk; readonly places: JobPlaces },
): Drain {
  let isOn = false;
  const running = (): number =>
    desk.live.all().filter(({ record: { job } }) => job.server !== undefined && places.isLocal(job.server)).length;
  return {
    get isOn() {
      return isOn;
    },
    async run() {
      isOn = true;
      const end = clock.monotonicMs() + config.drain_timeout_sec * 1000;
      if (running() > 0 && config.drain_timeout_sec > 0)
        log.info({ jobs: running() }, "Waiting for running jobs before the end");
      while (running() > 0 && clock.monotonicMs() < end) await pause(clock, LOOK_MS);
    },
  };
}
