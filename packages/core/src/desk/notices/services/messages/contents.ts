import type { Cradle } from "../../../../kernel/container.ts";
import type { Notice } from "../../model.ts";
import type { Composed } from "./message.ts";

/** Texts of notices on their way: attempts within a minute go under one key, so they say the same. */
export interface Contents {
  /** The content of an earlier attempt, or one made now if that is more than a minute ago. */
  of(notice: Notice, make: () => Promise<Composed | undefined>): Promise<Composed | undefined>;
  /** Forgets the content of a notice that has arrived. */
  forget(notice: Notice): void;
}

/** Seconds in which attempts have the same content. */
const SAME_SEC = 60;
/** Notices on their way; of more, the oldest are made anew. */
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
      // A shorter list is asked for after a longer one was too much.
      if (before && before.most === most) return before.message;
      const message = await make();
      if (message) known.set(id, { message, at: now, most });
      return message;
    },
    forget: ({ id }) => void known.delete(id),
  };
}
