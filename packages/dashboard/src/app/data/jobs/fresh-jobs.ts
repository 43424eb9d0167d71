import { computed, effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { now } from "../../texts/format.ts";
import { useLive } from "../live.ts";

/** Changes within this time lead to one request. */
const SOON_MS = 500;
/** Least time between two requests. */
const APART_MS = 2000;

/**
 * Reloads when jobs have begun or ended, at most every two seconds. The status, sent each second, announces this also for a job
 * that began and ended between two of them and so is in no list of running jobs.
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
 * Reloads every so many seconds while the page is visible; undefined = never. The component itself does not render with each tick
 * of the clock.
 */
export function usePolling(seconds: number | undefined, reload: () => unknown): void {
  const newest = useRef(reload);
  newest.current = reload;
  useEffect(() => {
    if (seconds === undefined) return;
    const turn = computed(() => Math.floor(now.value / seconds));
    // The first answer is already on its way.
    const asked = turn.peek();
    return effect(() => {
      const isDue = turn.value !== asked && !document.hidden;
      if (isDue) untracked(() => void newest.current());
    });
  }, [seconds]);
}
