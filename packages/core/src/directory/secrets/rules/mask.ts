import { MIN_MASKED, textsToMask } from "./mask-forms.ts";

/** Replaces a secret value. */
export const MASK = "****";

/**
 * Replaces the values of secrets in texts. Masks every character that belongs to an occurrence, even where several overlap; each
 * run of masked characters becomes one `MASK`.
 */
export interface Masker {
  /** Masks a complete text. */
  text(text: string): string;
  /** Masks a text that arrives in pieces; the joined output equals `text` of the whole. */
  stream(): MaskStream;
}

export interface MaskStream {
  /** Returns text that can be shown now. Holds back an end that may be the beginning of a value, at most 32 characters. */
  write(piece: string): string;
  /** Returns the text held back, masked as if nothing followed. The stream is unchanged. */
  rest(): string;
  /** Returns the same as `rest` and resets the stream. */
  end(): string;
}

/** Returns undefined when there is nothing to mask. */
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
  /** Text that was not output yet. */
  readonly held: string;
  /** Characters at its start that belong to a value that began earlier. */
  readonly covered: number;
  /** True when the last output was a mask, which continues in the held text. */
  readonly isMasked: boolean;
}

const AT_START: StreamState = { held: "", covered: 0, isMasked: false };

/** Processes the part of the text that is certain; with `isEnd` all of it. */
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
  /** Yields the longest occurrence at each position before `end`, in order. */
  find(text: string, end: number): Iterable<Found>;
  /**
   * The first position from which on the text may be the beginning of a longer occurrence; the text's length when there is none.
   */
  openAt(text: string): number;
}

/** All texts that start with the same four characters. */
interface Bucket {
  readonly words: Set<string>;
  /** Longest first. */
  lengths: number[];
}

/** Number of texts for which a small table is enough; every job has its own table. */
const SMALL = 256;

/**
 * Finds texts in one pass. A table of 4-character hashes excludes nearly every position at once. At the others, one lookup for
 * each length in use (at most 30) decides. So the time grows only with the text, however many values there are, and the memory
 * only with the values. An automaton (Aho-Corasick) would need a node for each character of each form of each value; searching
 * for one value after another would take time for each of them.
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

/** Hash of only the last four characters: earlier ones are shifted out. */
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
