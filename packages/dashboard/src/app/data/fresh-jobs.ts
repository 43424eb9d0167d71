import { useEffect, useRef } from "preact/hooks";
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

/** Asks again when the turn has changed, but not for a page that nobody sees. */
export function usePolling(turn: number, reload: () => unknown): void {
  const asked = useRef(turn);
  useEffect(() => {
    if (document.hidden || asked.current === turn) return;
    asked.current = turn;
    void reload();
  }, [turn]);
}
