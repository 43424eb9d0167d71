/**
 * Runs the work after the browser has painted the next frame; in a hidden tab, once it is visible again. An effect is too early:
 * where rendering takes longer than 35 ms, Preact runs effects before the paint. The work starts in a task after the second frame
 * callback: during the first paint, it would compete for the processor. Returns a function that cancels the work.
 */
export function afterPicture(work: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      timer = setTimeout(work);
    });
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Resolves after the browser has painted the next frame. */
export const picture = (): Promise<void> =>
  new Promise((resolve) => {
    afterPicture(resolve);
  });
