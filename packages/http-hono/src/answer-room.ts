import { nodeOf } from "./connection.ts";
import type { HostEnv } from "./options.ts";

/** Bounds what long answers hold together until their callers have read them. */
export interface AnswerRoom {
  /**
   * Keeps so many bytes until the answer has left or its connection is closed; false when there is no room for them, unless
   * they `must` be kept.
   */
  take(bytes: number, env: HostEnv, must?: boolean): boolean;
}

/**
 * One answer always has room, whatever its length. A server that does not tell when an answer has left is not counted: it
 * holds what it likes by itself.
 */
export function createAnswerRoom(limit: number): AnswerRoom {
  let held = 0;
  return {
    take(bytes, env, must = false) {
      const { outgoing } = nodeOf(env);
      if (typeof outgoing?.once !== "function") return true;
      if (!must && held > 0 && held + bytes > limit) return false;
      held += bytes;
      outgoing.once("close", () => {
        held -= bytes;
      });
      return true;
    },
  };
}
