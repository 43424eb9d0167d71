import { nodeOf } from "../caller/connection.ts";
import type { HostEnv } from "../options.ts";

/** Bounds the memory of all long answers on their way. */
export interface AnswerRoom {
  /**
   * Keeps so many bytes until the answered function is called, or the connection is closed. Undefined when there is no
   * room for them, unless they `must` be kept.
   */
  take(bytes: number, env: HostEnv, must?: boolean): (() => void) | undefined;
}

/**
 * One answer of any length always has room. Where the end of a connection is not told, or was told before, nothing is
 * counted: an answer that the host drops unread would be counted for ever.
 */
export function createAnswerRoom(limit: number): AnswerRoom {
  let held = 0;
  return {
    take(bytes, env, must = false) {
      const { outgoing } = nodeOf(env);
      if (typeof outgoing?.once !== "function" || outgoing.closed === true) return () => undefined;
      if (!must && held > 0 && held + bytes > limit) return undefined;
      held += bytes;
      let kept = bytes;
      const release = (): void => {
        held -= kept;
        kept = 0;
      };
      outgoing.once("close", release);
      return release;
    },
  };
}
