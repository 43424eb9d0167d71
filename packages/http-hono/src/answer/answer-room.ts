import { nodeOf } from "../caller/connection.ts";
import type { HostEnv } from "../options.ts";

/** Bounds the memory of all long answers that are being sent. */
export interface AnswerRoom {
  /**
   * Reserves the given bytes until the returned function is called or the connection is closed. Undefined when there is not
   * enough room, unless the bytes `must` be reserved.
   */
  take(bytes: number, env: HostEnv, must?: boolean): (() => void) | undefined;
}

/**
 * A single answer always has room, whatever its length. Nothing is counted if the server does not report when the connection
 * closes, or has already reported it: an answer that the host drops unread would be counted for ever.
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
