import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { InternalJob, InternalJobSpec } from "../model.ts";

type Work = (job: InternalJob) => Promise<void>;

/** The right to work on the whole installation, which one node has at a time. */
export interface Claim {
  /** Whether another node that lives has it, as far as this one has heard. */
  isTaken(): boolean;
  /**
   * Work that holds it where the job is exclusive. It rejects with `DomainError`, and nothing is done, when another node
   * has it.
   */
  around(spec: Pick<InternalJobSpec, "exclusive">, work: Work): Work;
}

/** Key of the global state: "<node> <job>". */
const STATE_CLAIM = "internal_jobs.exclusive";
const RETRY_MS = 10_000;

type Deps = Pick<Cradle, "clock" | "log" | "nodes" | "state" | "storage" | "transact">;

export const alreadyRunning = (): DomainError =>
  new DomainError("admin", "conflict", "Another maintenance job is already running.");

export function createClaim(deps: Deps, stopping: Pick<AbortSignal, "aborted">): Claim {
  const { nodeId, shared } = deps.storage.coordination;
  return {
    isTaken: () => shared && isOthers(deps, deps.state.get(STATE_CLAIM)),
    around: ({ exclusive }, work) => {
      if (!exclusive || !shared) return work;
      return async (job) => {
        const own = `${nodeId} ${job.id}`;
        await take(deps, own);
        const lost = new AbortController();
        // This node may stand still and be taken for dead: another one then works on what this one goes on with.
        const beats = deps.nodes.onBeat(() => {
          if (isOthers(deps, deps.state.get(STATE_CLAIM))) lost.abort(alreadyRunning());
        });
        try {
          await work({ ...job, signal: AbortSignal.any([job.signal, lost.signal]) });
        } finally {
          beats[Symbol.dispose]();
          await release(deps, own, stopping);
        }
      };
    },
  };
}

/** A node that was killed leaves its claim behind, and comes back under another id. */
function isOthers({ nodes, storage }: Deps, claim: unknown): boolean {
  const [node = ""] = String(claim ?? "").split(" ");
  return node !== storage.coordination.nodeId && nodes.find(node) !== undefined;
}

const take = (deps: Deps, own: string): Promise<void> =>
  deps.transact(async ({ tx }) => {
    await tx.lock(STATE_CLAIM);
    if (isOthers(deps, await deps.state.read(tx, STATE_CLAIM))) throw alreadyRunning();
    await deps.state.set(tx, STATE_CLAIM, own);
  });

/** Never rejects. */
async function release(deps: Deps, own: string, stopping: Pick<AbortSignal, "aborted">): Promise<void> {
  const { clock, log, state, transact } = deps;
  try {
    await transact(async ({ tx }) => {
      await tx.lock(STATE_CLAIM);
      if ((await state.read(tx, STATE_CLAIM)) === own) await state.set(tx, STATE_CLAIM, undefined);
    });
  } catch (error) {
    log.warn({ error }, "The end of work on the whole installation was not told to the other nodes; trying again");
    // The end of this node says it as well.
    if (!stopping.aborted) clock.after(RETRY_MS, () => void release(deps, own, stopping));
  }
}
