import {
  AccessError,
  type Actor,
  type AnyOperation,
  DomainError,
  InputError,
  SessionError,
  type SignalboxError,
} from "@signalbox/core/plugin";
import { tooLarge } from "../body/body.ts";
import { hasSameCredentials } from "../caller/credentials.ts";

/** Most bytes of a body that are read from a stranger. */
export const STRANGER_BYTES = 65_536;

type Members = Readonly<Record<string, unknown>>;

/** Whether the sender of a body may send more than a stranger; evaluated again as more of the body arrives. */
export interface Admission {
  readonly isAdmitted: boolean;
  /** The caller, identified by the credentials of the headers and of the members passed to `ask`. */
  actorFor(members: Members): Actor | undefined;
  /** Judges by the members received so far. True when the sender is admitted. Rejects when the sender should retry later. */
  ask(members: Members): Promise<boolean>;
  /** The error for a sender who is not admitted: the refusal of the complete call, or 413 if no sender could be identified. */
  refusal(): SignalboxError;
}

interface Asked {
  readonly operation: AnyOperation;
  admit(members: Members): Promise<Actor | undefined>;
}

export function createAdmission({ operation, admit }: Asked): Admission {
  const { kind } = operation.access;
  const isPublic = (kind === "anyone" || kind === "unchecked") && !operation.admits;
  // A body that is taken as one text has its own bound, for strangers too.
  let isAdmitted = isPublic && operation.wholeText !== undefined;
  let asked = -1;
  let answer = Promise.resolve(false);
  let known: { readonly actor: Actor | undefined; readonly by: Members } | undefined;
  let refusal: SignalboxError | undefined;
  const judge = async (members: Members): Promise<boolean> => {
    try {
      known = { actor: await admit(members), by: members };
      isAdmitted = true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
    return isAdmitted;
  };
  return {
    get isAdmitted() {
      return isAdmitted;
    },
    // Undefined when other credentials arrived later: the call then checks all of them, as for a short body.
    actorFor: (members) => (known && hasSameCredentials(members, known.by) ? known.actor : undefined),
    async ask(members) {
      const names = Object.keys(members).length;
      if (isPublic || isAdmitted) return isAdmitted;
      // Evaluated again only when there are more members, because an attempt may count against the sender. If the next chunk
      // arrives before the answer, it waits for the same answer.
      if (names !== asked) answer = judge({ ...members });
      asked = names;
      return answer;
    },
    refusal: () => (isPublic ? tooLarge() : (refusal ?? new SessionError("No Session ID or API Key could be found"))),
  };
}

/** Whether a refusal is final unless the sender presents other credentials; other errors may be gone a second later. */
function isRefusal(error: unknown): error is SignalboxError {
  if (error instanceof DomainError) return error.reason !== "unavailable" && error.reason !== "failed";
  return error instanceof SessionError || error instanceof AccessError || error instanceof InputError;
}
