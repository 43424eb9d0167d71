import { createContext, Script, type Context as ScriptContext } from "node:vm";
import { quickSubjectLimit } from "./regex-cost.ts";
import { createRegexPatience, type RegexPatience } from "./regex-patience.ts";
import { compilesQuickly } from "./regex-ways.ts";

/** Bounds on patterns that users write. See docs/contract/expressions.md#limits. */
const regexLimits = {
  patternLength: 1000,
  subjectLength: 64 * 1024,
  matchMs: 40,
  timeouts: 3,
  cachedPatterns: 1000,
  millisecondsBetweenReports: 3_600_000,
} as const;

/**
 * A user's compiled pattern. Subjects are cut to 64 KiB; a match that takes 40 ms counts as none, and the third one disables the
 * pattern.
 */
export interface CompiledRegex {
  readonly ok: true;
  readonly source: string;
  /** True when the pattern is found anywhere in the subject. */
  test(subject: string): boolean;
  /** The first match with its groups, null when there is none. */
  exec(subject: string): RegExpExecArray | null;
  /** True when matching this subject is certainly quick, so that it needs no time limit. */
  isQuick(subject: string): boolean;
  /** True after three time-outs: nothing matches until the pattern is compiled again. */
  isDisabled(): boolean;
}

/** Called when a match timed out, with the pattern and its number of time-outs so far. */
export type OnRegexTimeout = (pattern: string, timeouts: number) => void;

/** The error belongs to the script's own realm, so `instanceof` does not work. */
export const isTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

type Interruptible = (regex: RegExp, subject: string, timeoutMs: number) => RegExpExecArray | null;

/** Most tries of a match that had no processor for half of its limit. */
const MOST_TRIES = 3;

/** Milliseconds of processor time of this thread; of all threads where the platform does not report this one's. */
const spentMs = (): number => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1000;
};

/**
 * Runs a match with a limit on processor time, across all tries. A script's own limit is wall-clock time: on a busy machine a
 * thread may wait through all of it, which says nothing about the pattern.
 */
export function withProcessor<R>(limitMs: number, match: (timeoutMs: number) => R): R {
  const before = spentMs();
  for (let tries = 1, left = limitMs; ; tries++) {
    try {
      return match(left);
    } catch (error) {
      left = Math.floor(limitMs - (spentMs() - before));
      if (!isTimeout(error) || tries === MOST_TRIES || left <= limitMs / 2) throw error;
    }
  }
}

/** Only a script with a time limit can be interrupted while the engine backtracks. */
const createInterruptible = (): Interruptible => {
  const script = new Script("regex.exec(subject)");
  const scope: { regex?: RegExp; subject?: string } = {};
  let context: ScriptContext | undefined;
  return (regex, subject, timeoutMs) => {
    context ??= createContext(scope);
    scope.regex = regex;
    scope.subject = subject;
    try {
      const inScope = context;
      const match = (timeout: number): unknown => script.runInContext(inScope, { timeout });
      return withProcessor(timeoutMs, match) as RegExpExecArray | null;
    } finally {
      delete scope.regex;
      delete scope.subject;
    }
  };
};

/** Throws as `compileRegex` does. */
export const parsePattern = (pattern: string, flags = ""): RegExp => {
  if (pattern.length > regexLimits.patternLength) {
    throw new Error(`Regular expression exceeds length limit (${regexLimits.patternLength} characters)`);
  }
  const regex = new RegExp(pattern, flags);
  // The engine compiles a pattern at its first match, and no time limit interrupts that.
  if (!compilesQuickly(pattern)) throw new Error("Regular expression is too complex");
  return regex;
};

/** Parts that compiled patterns share. */
interface Means {
  readonly run: Interruptible;
  readonly patience: RegexPatience;
}

/** No shared bound: every match has the whole limit. */
const ENDLESS: RegexPatience = { left: () => regexLimits.matchMs, spend: () => undefined };

const compileWith = (pattern: string, { run, patience }: Means, onTimeout: OnRegexTimeout): CompiledRegex => {
  const regex = parsePattern(pattern);
  const quickLimit = quickSubjectLimit(pattern);
  let timeouts = 0;
  /** True when it has matched in time before. */
  let isProven = false;
  const isDisabled = (): boolean => timeouts >= regexLimits.timeouts;
  const runTimed = (subject: string): RegExpExecArray | null => {
    const allowedMs = patience.left(isProven);
    if (isDisabled() || allowedMs === 0) return null;
    try {
      const found = run(regex, subject, allowedMs);
      isProven = true;
      return found;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      patience.spend(allowedMs, isProven);
      timeouts++;
      onTimeout(pattern, timeouts);
      return null;
    }
  };
  const exec = (subject: string): RegExpExecArray | null => {
    const bounded = subject.length > regexLimits.subjectLength ? subject.slice(0, regexLimits.subjectLength) : subject;
    return bounded.length <= quickLimit ? regex.exec(bounded) : runTimed(bounded);
  };
  return {
    ok: true,
    source: pattern,
    exec,
    test: (subject) => (subject.length <= quickLimit ? regex.test(subject) : exec(subject) !== null),
    isQuick: (subject) => subject.length <= quickLimit,
    isDisabled,
  };
};

const ignoreTimeout: OnRegexTimeout = () => undefined;

/**
 * Compiles a single pattern of a user, outside of a cache.
 * @throws SyntaxError when it is no regular expression, Error when it is longer than 1000 characters or too complex
 */
export const compileRegex = (pattern: string, onTimeout: OnRegexTimeout = ignoreTimeout): CompiledRegex =>
  compileWith(pattern, { run: createInterruptible(), patience: ENDLESS }, onTimeout);

const probes = ["a", "0", " ", "a0", "a ", "a.", "-", "/", "\t"].flatMap((unit) => {
  const run = unit.repeat(Math.ceil(64 / unit.length));
  return [`${run}!`, `${run}\n`];
});

/** Throws as `compileRegex` does, and when even ordinary subjects take too long. */
export const requireQuick = (pattern: string, run: Interruptible = createInterruptible()): void => {
  let slow = false;
  const probe = compileWith(pattern, { run, patience: ENDLESS }, () => {
    slow = true;
  });
  for (const subject of probes) {
    probe.test(subject);
    if (slow) throw new Error("Regular expression takes too long");
  }
};

/** Caches the patterns of one instance, compiled once each. Keeps at most 1000. */
export interface RegexCache {
  /** The compiled form of a pattern; throws as `compileRegex` does. */
  compile(pattern: string): CompiledRegex;
  /** Checks a pattern that is being saved: compiles it again and throws when even ordinary subjects take too long. */
  check(pattern: string): CompiledRegex;
}

/** Options of a cache: the clock, and the listener for time-outs (at most one per pattern and hour). */
export interface RegexCacheOptions {
  readonly monotonic: () => number;
  readonly onTimeout?: OnRegexTimeout | undefined;
}

/** Makes a cache of compiled patterns. */
export const createRegexCache = ({ monotonic, onTimeout = ignoreTimeout }: RegexCacheOptions): RegexCache => {
  const run = createInterruptible();
  const patience = createRegexPatience(regexLimits.matchMs, monotonic);
  const compiled = new Map<string, CompiledRegex>();
  const compileAnew = (pattern: string): CompiledRegex => {
    let reportedAt = Number.NEGATIVE_INFINITY;
    const regex = compileWith(pattern, { run, patience }, (source, timeouts) => {
      const now = monotonic();
      if (now - reportedAt < regexLimits.millisecondsBetweenReports) return;
      reportedAt = now;
      onTimeout(source, timeouts);
    });
    compiled.delete(pattern);
    compiled.set(pattern, regex);
    const [oldest] = compiled.keys();
    if (compiled.size > regexLimits.cachedPatterns && oldest !== undefined) compiled.delete(oldest);
    return regex;
  };
  const compile = (pattern: string): CompiledRegex => compiled.get(pattern) ?? compileAnew(pattern);
  const check = (pattern: string): CompiledRegex => {
    requireQuick(pattern, run);
    return compileAnew(pattern);
  };
  return { compile, check };
};
