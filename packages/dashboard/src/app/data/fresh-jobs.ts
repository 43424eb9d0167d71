import { computed, effect, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { now } from "../texts/format.ts";
import { activeJobs } from "./counts.ts";
import { useLive } from "./live.ts";

/** Asks again when jobs have come or gone, at most every other second. */
export function useFreshJobs(reload: () => unknown): void {
  const running = activeJobs.ids.value.join();
  const asked = useRef(running);
  useEffect(() => {
    // The first answer is on its way already.
    if (asked.current === running) return;
    asked.current = running;
    const timer = setTimeout(reload, 500);
    return () => clearTimeout(timer);
  }, [running]);
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
