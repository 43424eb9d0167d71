import { type AgentMessage, isOverJsonBounds } from "@signalbox/core/adapter";
import { splitMinute } from "./minute-frame.ts";

/** The longest lists of a minute sample, 20,000 processes and 50,000 connections, have 750,000 members. */
const BOUNDS = { depth: 64, members: 1_000_000 };

/**
 * Characters up to which a text is parsed before its members are counted: it cannot have many, and a look at the result
 * takes a fifth of the time of a look at the text.
 */
const SMALL = 256 * 1024;

const COMMAND = /^\w{1,64}$/;

/**
 * Reads the bytes of one frame. `undefined` = malformed: no JSON, no message, nested deeper than 64 or with more than a
 * million members.
 */
export function readFrame(frame: Buffer): AgentMessage | undefined {
  const text = frame.toString();
  if (text.length > SMALL && isOverJsonBounds(text, BOUNDS)) return undefined;
  const minute = readMinute(text, frame);
  const value = minute ? minute.value : parse(text);
  const seen: Seen = { prototypes: 0 };
  if (typeof value !== "object" || value === null || !isClean(value, BOUNDS.depth, seen)) return undefined;
  // One message per frame; members beside these two are dropped.
  const { cmd, data } = value as { readonly cmd?: unknown; readonly data?: unknown };
  if (typeof cmd !== "string" || !COMMAND.test(cmd)) return undefined;
  return minute && seen.prototypes === 0 ? { cmd, data, text: minute.text } : { cmd, data };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error is of no use to a reader; the caller counts it.
    return undefined;
  }
}

/** A minute with the text of its data; undefined = the frame is something else, or written in another way. */
function readMinute(text: string, bytes: Buffer): { readonly value: unknown; readonly text: Buffer } | undefined {
  const parts = splitMinute(text);
  const frame = parts && (parse(parts.frame) as { readonly cmd: unknown; readonly data: object } | undefined);
  const data = parts && parse(text.slice(parts.from, parts.to));
  if (!frame || data === undefined) return undefined;
  return { value: { cmd: frame.cmd, data: { ...frame.data, data } }, text: bytes.subarray(parts.from, parts.to) };
}

const PROTOTYPE = "__proto__";

/** Findings of a walk through a message. */
interface Seen {
  prototypes: number;
}

/**
 * False when the value nests deeper than `levels`. Takes out members called `__proto__`: they would become the
 * prototype of the objects that they are copied into.
 */
function isClean(value: object, levels: number, seen: Seen): boolean {
  if (levels === 0) return false;
  return Array.isArray(value)
    ? isCleanList(value, levels - 1, seen)
    : isCleanRecord(value as Record<string, unknown>, levels - 1, seen);
}

function isCleanList(list: readonly unknown[], levels: number, seen: Seen): boolean {
  for (let index = 0; index < list.length; index++) {
    const element = list[index];
    if (typeof element === "object" && element !== null && !isClean(element, levels, seen)) return false;
  }
  return true;
}

function isCleanRecord(record: Record<string, unknown>, levels: number, seen: Seen): boolean {
  let isHostile = false;
  // Three times as fast as going through `Object.values`, which makes a list of each record.
  for (const name in record) {
    const member = record[name];
    if (name === PROTOTYPE) isHostile = true;
    else if (typeof member === "object" && member !== null && !isClean(member, levels, seen)) return false;
  }
  if (isHostile) {
    Reflect.deleteProperty(record, PROTOTYPE);
    seen.prototypes += 1;
  }
  return true;
}

/** Frames as they go out; a message to many sockets is encoded once. */
export function createEncoder(): (message: AgentMessage) => Buffer {
  let last: { readonly message: AgentMessage; readonly frame: Buffer } | undefined;
  return (message) => {
    if (last?.message === message) return last.frame;
    const { cmd, data } = message;
    last = { message, frame: Buffer.from(JSON.stringify({ cmd, data })) };
    return last.frame;
  };
}
