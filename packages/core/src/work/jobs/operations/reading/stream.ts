import * as z from "zod";
import { defineStream, type StreamResult, token } from "../../../../kernel/calls/operation.ts";
import { InputError, SessionError } from "../../../../kernel/errors/errors.ts";
import { pause } from "../../../../kernel/running/loops.ts";
import { encodeEvent } from "../../../../lib/network/event-stream.ts";
import type { Clock } from "../../../../ports/clock.ts";
import { WordId } from "../../../../wire/fields/fields.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import type { JobEngine } from "../../lifecycle/engine.ts";
import type { Job } from "../../model.ts";
import { failedUpdate, finalUpdate, runningUpdate } from "../../reports/rules/stream-update.ts";
import { jobNotFound, maySeeJob, requireShown } from "../job-access.ts";

const UPDATE_MS = 1000;

export const streamJob = defineStream({
  name: "stream_job",
  summary: "Follow a job as server-sent events: `start`, an `update` every second, the final `update`, `end`.",
  access: token,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: WordId, token: z.string().optional() })),
  async handler({ id, token: given }, { actor, clock, services, signal }): Promise<StreamResult> {
    const { identities, jobs } = services;
    const current = identities.follow(actor);
    let mayFollow: MayFollow = async () => true;
    if (given === undefined) {
      if (actor.kind === "anonymous") throw new SessionError("No Session ID or API Key could be found");
      const job = (await jobs.desk.read(id))?.job ?? (await jobs.desk.final(id));
      if (!job) throw jobNotFound(id);
      requireShown(actor, job);
      mayFollow = async (followed) => {
        const caller = current();
        return caller !== undefined && maySeeJob(caller, followed) && !(await identities.isSignedOut(actor));
      };
    } else if (!jobs.tokens.opensStream(id, given)) throw new InputError("Authentication failed.");
    return {
      contentType: "text/event-stream",
      headers: { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" },
      body: follow(jobs, id, { clock, mayFollow, signal: AbortSignal.any([signal, jobs.stopping]) }),
    };
  },
});

/** Whether the caller may still see the job: while it listens, its rights may change and its session may end. */
type MayFollow = (job: Job) => Promise<boolean>;

interface Following {
  readonly clock: Clock;
  readonly mayFollow: MayFollow;
  readonly signal: AbortSignal;
}

/**
 * Produced as fast as it is read, so a slow reader costs no memory. While the job is active, an update is sent every second, so
 * there are never ten seconds without an event.
 */
async function* follow(
  jobs: JobEngine,
  id: string,
  { clock, mayFollow, signal }: Following,
): AsyncGenerator<Uint8Array> {
  yield encodeEvent("start", {});
  let before: Job | undefined;
  while (!signal.aborted) {
    const active = await jobs.desk.read(id);
    if (!active) break;
    if (!(await mayFollow(active.job))) return;
    yield encodeEvent("update", runningUpdate(active.job, before));
    before = active.job;
    await pause(clock, UPDATE_MS, signal);
  }
  // Without an `end`, the client knows that it may reconnect.
  if (signal.aborted) return;
  const final = await jobs.desk.final(id);
  if (final && !(await mayFollow(final))) return;
  yield encodeEvent("update", final ? finalUpdate(final) : failedUpdate(`Failed to load job details: ${id}`));
  yield encodeEvent("end", {});
}
