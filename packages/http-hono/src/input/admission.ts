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

/** Bytes of a body that are read for a stranger. */
export const STRANGER_BYTES = 65_536;

type Members = Readonly<Record<string, unknown>>;

/** Whether the sender of a body may send more than a stranger; asked again as more of the body is known. */
export interface Admission {
  readonly isAdmitted: boolean;
  /** The caller, by the credentials of the head and of the members that were asked about. */
  actorFor(members: Members): Actor | undefined;
  /**
   * Judges by the members that have come so far. True when the sender is admitted. Rejects when it is to come again
   * later.
   */
  ask(members: Members): Promise<boolean>;
  /**
   * The error for a sender who is not admitted: the refusal of the whole call, or 413 where no sender could be known.
   */
  refusal(): SignalboxError;
}

interface Asked {
  readonly operation: AnyOperation;
  admit(members: Members): Promise<Actor | undefined>;
}

export function createAdmission({ operation, admit }: Asked): Admission {
  const { kind } = operation.access;
  const isPublic = (kind === "anyone" || kind === "unchecked") && !operation.admits;
  // A body that is taken as one text has a bound of its own, for strangers too.
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
    // Undefined when later credentials came: the call then checks all of them, as for a short body.
    actorFor: (members) => (known && hasSameCredentials(members, known.by) ? known.actor : undefined),
    async ask(members) {
      const names = Object.keys(members).length;
      if (isPublic || isAdmitted) return isAdmitted;
      // Judged again only by further members: an attempt may count against the sender. The next chunk of a body may come
      // before the answer, and waits for the same one.
      if (names !== asked) answer = judge({ ...members });
      asked = names;
      return answer;
    },
    refusal: () => (isPublic ? tooLarge() : (refusal ?? new SessionError("No Session ID or API Key could be found"))),
  };
}

/** Whether a refusal holds until the sender gives other credentials; all other answers may differ a second later. */
function isRefusal(error: unknown): error is SignalboxError {
  if (error instanceof DomainError) return error.reason !== "unavailable" && error.reason !== "failed";
  return error instanceof SessionError || error instanceof AccessError || error instanceof InputError;
}
