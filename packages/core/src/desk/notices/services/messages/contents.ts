import type { Cradle } from "../../../../kernel/container.ts";
import type { Notice } from "../../model.ts";
import type { Composed } from "./message.ts";

/**
 * Caches the contents of notices between attempts. Attempts within a minute share one idempotency key, so they must say the same.
 */
export interface Contents {
  /** The cached content of an earlier attempt, or newly made content once that is more than a minute old. */
  of(notice: Notice, make: () => Promise<Composed | undefined>): Promise<Composed | undefined>;
  /** Drops the content of a notice that has arrived. */
  forget(notice: Notice): void;
}

/** Seconds for which attempts have the same content. */
const SAME_SEC = 60;
/** Maximum contents in the cache; beyond it the oldest are evicted and made again. */
const MOST = 100;

interface Made {
  readonly message: Composed;
  readonly at: number;
  readonly most: number | undefined;
}

export function createContents({ clock }: Pick<Cradle, "clock">): Contents {
  const known = new Map<string, Made>();
  const forgetOld = (now: number): void => {
    for (const [id, { at }] of known) if (Math.abs(now - at) > SAME_SEC || known.size > MOST) known.delete(id);
  };
  return {
    async of({ id, most }, make) {
      const now = clock.now();
      forgetOld(now);
      const before = known.get(id);
      // A different `most` means that the service rejected the longer list as too large.
      if (before && before.most === most) return before.message;
      const message = await make();
      if (message) known.set(id, { message, at: now, most });
      return message;
    },
    forget: ({ id }) => void known.delete(id),
  };
}
