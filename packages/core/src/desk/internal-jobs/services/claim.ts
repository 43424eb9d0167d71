import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { InternalJob, InternalJobSpec } from "../model.ts";

type Work = (job: InternalJob) => Promise<void>;

/** The right to work on the whole installation. One node has it at a time. */
export interface Claim {
  /** Whether another live node holds the claim, as far as this node knows. */
  isTaken(): boolean;
  /**
   * Wraps the work so that an exclusive job holds the claim while it runs. If another node holds the claim, the wrapped work does
   * nothing and rejects with `DomainError`.
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
        // While this node is frozen, others may take it for dead and claim the work; this node must then not continue its own.
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

/** The claim of a killed node stays behind but does not count: the node comes back under another id. */
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
    // If this node is stopping, its absence releases the claim as well.
    if (!stopping.aborted) clock.after(RETRY_MS, () => void release(deps, own, stopping));
  }
}
