import type { RotationReport } from "../../directory/secrets/model.ts";
import type { Cradle } from "../../kernel/container.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { pause } from "../../kernel/running/loops.ts";
import type { InternalJob } from "../internal-jobs/model.ts";
import { reportOf } from "./rules.ts";

/** Changes the secret key at an administrator's request (docs/contract/secrets.md#online). */
export interface KeyRotation {
  run(job: InternalJob): Promise<void>;
}

/** Nodes read the key store once a minute, so one of them may still seal with the old key: sealing is repeated in rounds. */
const ROUNDS = 8;
const ROUND_MS = 15_000;

type Deps = Pick<Cradle, "clock" | "keyChange" | "secretRotation" | "transfer">;

export function createKeyRotation(deps: Deps): KeyRotation {
  return {
    async run(job) {
      const notes = await deps.transfer.standStill({ reason: "Aborted by a change of the secret key" }, job);
      job.progress(0.2);
      await deps.keyChange.next(job.signal);
      job.progress(0.3);
      const done = await sealAll(deps, job);
      job.stat("resealed", done.resealed);
      job.report(reportOf(done, notes));
      if (!done.finished)
        throw new DomainError("admin", "failed", "Another node still seals with the former key; the engine goes on");
    },
  };
}

async function sealAll({ clock, secretRotation }: Deps, { signal }: InternalJob): Promise<RotationReport> {
  let resealed = 0;
  for (let round = 1; ; round++) {
    const report = await secretRotation.run(signal);
    signal.throwIfAborted();
    resealed += report.resealed;
    if (report.finished || round === ROUNDS) return { ...report, resealed };
    await pause(clock, ROUND_MS, signal);
  }
}
