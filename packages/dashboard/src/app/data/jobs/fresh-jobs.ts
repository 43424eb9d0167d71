import { computed, effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { now } from "../../texts/format.ts";
import { useLive } from "../live.ts";

/** Jobs that come within this time are asked for together. */
const SOON_MS = 500;
/** Between two questions. */
const APART_MS = 2000;

/**
 * Asks again when jobs have come or gone, at most every other second. The status of a second says so, also of a job that
 * began and ended within it, and is therefore in no list of running ones.
 */
export function useFreshJobs(reload: () => unknown): void {
  const newest = useRef(reload);
  newest.current = reload;
  const wait = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; asked: number }>({ asked: -APART_MS });
  useEffect(() => () => clearTimeout(wait.current.timer), []);
  useLive("status", ({ jobsChanged }: { readonly jobsChanged?: unknown }) => {
    const { current } = wait;
    if (!jobsChanged || current.timer !== undefined) return;
    const ms = Math.max(SOON_MS, current.asked + APART_MS - performance.now());
    current.timer = setTimeout(() => {
      wait.current = { asked: performance.now() };
      newest.current();
    }, ms);
  });
  useLive("back", reload);
}

/**
 * Asks again every so many seconds, but not for a page that nobody sees; undefined = never. The part is not drawn anew by
 * the clock, which goes on each second.
 */
export function usePolling(seconds: number | undefined, reload: () => unknown): void {
  const newest = useRef(reload);
  newest.current = reload;
  useEffect(() => {
    if (seconds === undefined) return;
    const turn = computed(() => Math.floor(now.value / seconds));
    // The first answer is on its way already.
    const asked = turn.peek();
    return effect(() => {
      const isDue = turn.value !== asked && !document.hidden;
      if (isDue) untracked(() => void newest.current());
    });
  }, [seconds]);
}
