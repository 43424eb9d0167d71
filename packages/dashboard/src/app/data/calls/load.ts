import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { SignalboxError } from "@signalbox/client";
import { useEffect, useMemo, useRef } from "preact/hooks";

/** An answer of the server. The old answer stays while a new one is loading. */
export interface Loaded<Data> {
  readonly data: ReadonlySignal<Data | undefined>;
  readonly error: ReadonlySignal<SignalboxError | undefined>;
  readonly isLoading: ReadonlySignal<boolean>;
  /** Resolves after the first answer or refusal. */
  readonly first: Promise<void>;
  /** Loads again; the old answer stays until the new one comes. */
  reload(): Promise<void>;
  /** Shows other data until the next answer, such as the viewer's own change before the server confirms it. */
  set(data: Data): void;
}

/** Answers of recent pages, so that going back shows them at once. */
const kept = new Map<string, unknown>();
const MAX_KEPT = 30;

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, data);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** Forgets all answers, because they belong to another account or may be out of date. */
export const forgetLoaded = (): void => kept.clear();

export const asError = (error: unknown): SignalboxError =>
  error instanceof SignalboxError ? error : new SignalboxError("page", String((error as Error)?.message ?? error));

type Ask<Data> = (signal: AbortSignal) => Promise<Data>;
interface Before<Data> {
  readonly like: string | undefined;
  readonly data: ReadonlySignal<Data | undefined>;
}

/**
 * Asks the server when a page opens, and again when `key` changes. The key names the question with everything it depends on: `job
 * ${id}`. The signal given to `ask` is aborted when the page closes. A new question with the same `like`, such as one for more
 * rows, shows the previous answer until its own comes.
 */
export function useLoad<Data>(key: string, ask: Ask<Data>, like?: string): Loaded<Data> {
  const before = useRef<Before<Data> | undefined>(undefined);
  const question = useMemo(() => {
    const isMore = like !== undefined && before.current?.like === like;
    const fresh = createQuestion(key, ask, isMore ? before.current?.data.peek() : undefined);
    // The request starts during render, where a page precedes its parts: the data of the first line on a page is requested first.
    return { ...fresh, first: fresh.reload() };
  }, [key]);
  before.current = { like, data: question.data };
  useEffect(() => () => question.stop(), [question]);
  return question;
}

export function createQuestion<Data>(key: string, ask: Ask<Data>, before: Data | undefined) {
  const data: Signal<Data | undefined> = signal((kept.get(key) as Data | undefined) ?? before);
  const error = signal<SignalboxError | undefined>(undefined);
  const isLoading = signal(true);
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  /** Counts calls of `set`: an answer that was requested before one is out of date and is dropped. */
  let sets = 0;
  async function askOnce(): Promise<void> {
    const before = sets;
    isLoading.value = true;
    try {
      const answer = await ask(stopped);
      if (stopped.aborted || before !== sets) return;
      keep(key, answer);
      data.value = answer;
      error.value = undefined;
    } catch (reason) {
      if (!stopped.aborted) error.value = asError(reason);
    }
  }
  return {
    data,
    error,
    isLoading,
    reload: oneAtATime(askOnce, {
      stopped,
      done() {
        isLoading.value = false;
      },
    }),
    set(given: Data): void {
      sets += 1;
      data.value = given;
    },
    stop: (): void => stopping.abort(),
  };
}

interface Turns {
  readonly stopped: AbortSignal;
  readonly done: () => void;
}

/**
 * Runs the work, one run at a time; a call during a run queues one more run after it. `work` reports its failures itself. Runs
 * are not cancelled for newer calls: where updates come faster than answers, the page would never show any.
 */
export function oneAtATime(work: () => Promise<void>, { stopped, done }: Partial<Turns> = {}): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  async function runAll(): Promise<void> {
    do {
      isAskedAgain = false;
      await work();
    } while (isAskedAgain && !stopped?.aborted);
    running = undefined;
    done?.();
  }
  return () => {
    isAskedAgain = running !== undefined;
    running ??= runAll();
    return running;
  };
}
