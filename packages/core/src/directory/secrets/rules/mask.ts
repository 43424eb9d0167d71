import { MIN_MASKED, textsToMask } from "./mask-forms.ts";

/** Text in place of a secret value. */
export const MASK = "****";

/**
 * Replaces the values of secrets in texts. Every character that belongs to an occurrence is masked, also where several
 * overlap; each stretch of masked characters becomes one `MASK`.
 */
export interface Masker {
  /** A text that is complete. */
  text(text: string): string;
  /** A text that comes in pieces; the pieces together come out as `text` of the whole would. */
  stream(): MaskStream;
}

export interface MaskStream {
  /** Text that can be shown by now. Holds back an end that may be the beginning of a value, at most 32 characters. */
  write(piece: string): string;
  /** The text held back, as it is shown when nothing comes after it; the stream stays as it is. */
  rest(): string;
  /** The same, and begins anew. */
  end(): string;
}

/** Undefined when nothing is to be masked. */
export function createMasker(values: Iterable<string>): Masker | undefined {
  const texts = textsToMask(values);
  if (texts.size === 0) return undefined;
  const finder = createFinder(texts);
  return {
    text: (text) => take(finder, { ...AT_START, held: text }, true).out,
    stream() {
      let state = AT_START;
      return {
        write(piece) {
          const taken = take(finder, { ...state, held: state.held + piece }, false);
          state = taken.state;
          return taken.out;
        },
        rest: () => take(finder, state, true).out,
        end() {
          const { out } = take(finder, state, true);
          state = AT_START;
          return out;
        },
      };
    },
  };
}

interface StreamState {
  /** Text that was not put out yet. */
  readonly held: string;
  /** Characters of it that belong to a value which began before. */
  readonly covered: number;
  /** The last text put out is a mask, which goes on in the held text. */
  readonly isMasked: boolean;
}

const AT_START: StreamState = { held: "", covered: 0, isMasked: false };

/** Takes the certain part of the text; with `isEnd` all of it. */
function take(finder: Finder, { held: text, ...before }: StreamState, isEnd: boolean) {
  let { covered, isMasked } = before;
  let out = "";
  const open = isEnd ? text.length : finder.openAt(text);
  // All text before `covered` is in `out`.
  for (const { at, length } of finder.find(text, open)) {
    if (at > covered) out += text.slice(covered, at);
    if (at > covered || !isMasked) out += MASK;
    isMasked = true;
    covered = Math.max(covered, at + length);
  }
  if (covered < open) {
    out += text.slice(covered, open);
    isMasked = false;
    covered = open;
  }
  return { out, state: { held: text.slice(open), covered: covered - open, isMasked } };
}

interface Found {
  readonly at: number;
  readonly length: number;
}

interface Finder {
  /** The longest occurrence at each place before `end`, in order. */
  find(text: string, end: number): Iterable<Found>;
  /** The first place from which on the text may be the beginning of something longer; its length when there is none. */
  openAt(text: string): number;
}

/** All texts that begin with the same four characters. */
interface Bucket {
  readonly words: Set<string>;
  /** Longest first. */
  lengths: number[];
}

/** Few texts need only a small table, and every job has its own. */
const SMALL = 256;

/**
 * Finds texts in one pass: a table of 4-character hashes says for nearly every place at once that none begins there.
 * Elsewhere one lookup for each length in use (at most 30) decides, so the time grows with the text alone, however many
 * values there are, and the memory with the values alone. An automaton (Aho-Corasick) would need a node for each
 * character of each form of each value; a search for one value after another would take time for each of them.
 */
function createFinder(texts: ReadonlySet<string>): Finder {
  const { buckets, heads, longest } = indexOf(texts);
  const shift = texts.size <= SMALL ? 3 : 4;
  const mask = (1 << (4 * shift)) - 1;
  const table = new Uint8Array(mask + 1);
  for (const start of buckets.keys()) table[hashOf(start, shift) & mask] = 1;

  const matchAt = (text: string, at: number): number => {
    const bucket = buckets.get(text.slice(at, at + MIN_MASKED));
    const fits = (length: number): boolean =>
      at + length <= text.length && bucket?.words.has(text.slice(at, at + length)) === true;
    return bucket?.lengths.find(fits) ?? 0;
  };
  const mayBegin = (text: string, at: number): boolean => {
    const end = text.slice(at);
    if (end.length < MIN_MASKED) return heads.has(end);
    for (const word of buckets.get(end.slice(0, MIN_MASKED))?.words ?? [])
      if (word.length > end.length && word.startsWith(end)) return true;
    return false;
  };

  return {
    *find(text, end) {
      let hash = hashOf(text.slice(0, MIN_MASKED - 1), shift);
      for (let at = 0; at < end; at++) {
        hash = (hash << shift) ^ text.charCodeAt(at + MIN_MASKED - 1);
        const length = table[hash & mask] === 1 ? matchAt(text, at) : 0;
        if (length > 0) yield { at, length };
      }
    },
    openAt(text) {
      for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) if (mayBegin(text, at)) return at;
      return text.length;
    },
  };
}

/** Hash of the last four characters alone: earlier ones are shifted out. */
function hashOf(text: string, shift: number): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash << shift) ^ text.charCodeAt(at);
  return hash;
}

function indexOf(texts: ReadonlySet<string>) {
  const buckets = new Map<string, Bucket>();
  const heads = new Set<string>();
  let longest = 0;
  for (const text of texts) {
    const start = text.slice(0, MIN_MASKED);
    const bucket = buckets.get(start) ?? { words: new Set(), lengths: [] };
    buckets.set(start, bucket);
    bucket.words.add(text);
    longest = Math.max(longest, text.length);
    for (let length = 1; length < MIN_MASKED; length++) heads.add(text.slice(0, length));
  }
  for (const bucket of buckets.values())
    bucket.lengths = [...new Set(Array.from(bucket.words, ({ length }) => length))].sort((a, b) => b - a);
  return { buckets, heads, longest };
}
