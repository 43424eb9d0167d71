/** Facts about a link when it is opened. */
export interface LinkFacts {
  /** Unix seconds. */
  readonly now: number;
  /** Expiry of the token. */
  readonly expires: number;
  /** The problem exists and is open. */
  readonly isOpen: boolean;
  /** The receiver still gives such links. */
  readonly isOffered: boolean;
  /** The user of the token may acknowledge; true if the token names no user. */
  readonly mayAct: boolean;
  /** Number of firings named by the notice that are live, and how many of these are acknowledged. */
  readonly live: number;
  readonly taken: number;
}

/** State of a link, with the sentence and the HTTP status of its page. */
export interface LinkVerdict {
  readonly state: "ask" | "taken" | "spent" | "forbidden";
  readonly status: number;
  readonly text: string;
}

const spent = (text: string): LinkVerdict => ({ state: "spent", status: 410, text });

/** The verdict on a link; the first rule that applies decides. */
export function linkVerdict(facts: LinkFacts): LinkVerdict {
  if (facts.now >= facts.expires) return spent("This link has expired.");
  if (!facts.isOffered) return spent("This link is not valid any more.");
  if (!facts.mayAct)
    return { state: "forbidden", status: 403, text: "The account of this link may not acknowledge alerts." };
  if (!facts.isOpen || facts.live === 0) return spent("The problem is over.");
  if (facts.taken === facts.live) return { state: "taken", status: 200, text: "The problem is acknowledged." };
  return { state: "ask", status: 200, text: "Somebody is needed: nobody has acknowledged this yet." };
}

/** Verdict on links that the engine did not sign; it deliberately gives no reason. */
export const UNKNOWN_LINK: LinkVerdict = { state: "spent", status: 404, text: "This link is not valid." };

const MAX_NAME = 64;
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Sanitizes a name that a person typed: one line without tags. */
export const typedName = (name: string): string =>
  name
    .slice(0, 1000)
    .replace(/<[^<>]*>/g, "")
    .replace(/[<>]/g, "")
    .replace(CONTROL, " ")
    .trim()
    .slice(0, MAX_NAME);
