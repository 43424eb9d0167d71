import { isObject } from "../../lib/json/is-object.ts";
import { parsedJson } from "../../lib/json/parsed-json.ts";

export const VERSION_OF_MESSAGES = 1;

/** A message between nodes. */
export interface Message {
  readonly v: typeof VERSION_OF_MESSAGES;
  readonly t: "ask" | "answer" | "tell";
  /** Sequence number: grows by one with each message of a sender. */
  readonly s: number;
  /** The sender's id. */
  readonly f: string;
  /** Number of the question, in an answer. */
  readonly r?: number;
  /** Kind of a question or of news. A question of an unknown kind is refused; other messages of unknown kinds are ignored. */
  readonly k?: string;
  /** Deadline for the answer, in Unix milliseconds of the clock that all nodes share. */
  readonly d?: number;
  readonly b?: unknown;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isAbsentOr = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);
const isText = (value: unknown): boolean => typeof value === "string" && value.length > 0 && value.length <= 64;

/** Parses a message; undefined for a text that is not one, since everyone who can connect to the database may send text. */
export function readMessage(text: string): Message | undefined {
  const value = parsedJson(text);
  if (!isObject(value)) return undefined;
  const { v, t, s, f, r, k, d } = value;
  if (v !== VERSION_OF_MESSAGES || !isCount(s) || !isText(f) || !isAbsentOr(k, isText)) return undefined;
  if (!isAbsentOr(r, isCount) || !isAbsentOr(d, Number.isFinite)) return undefined;
  const isWhole =
    (t === "ask" && k !== undefined && d !== undefined) ||
    (t === "answer" && r !== undefined && isObject(value["b"])) ||
    (t === "tell" && k !== undefined);
  return isWhole ? (value as unknown as Message) : undefined;
}
