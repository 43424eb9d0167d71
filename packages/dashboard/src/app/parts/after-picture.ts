/**
 * Milliseconds that charts need to be painted. Other threads paint, once the thread of the page is done with the frame. With
 * two processors they take half as long again if the page sends and draws more meanwhile.
 */
export const PAINTING_MS = 50;

/**
 * Runs the work after the browser has painted the next frame; in a hidden tab, once it is visible again. An effect is too early:
 * where rendering takes longer than 35 ms, Preact runs effects before the paint. The work starts in a task after the second frame
 * callback: during the first paint, it would compete for the processor. Work that nobody waits for also leaves the painting
 * threads `restMs` for themselves. Returns a function that cancels the work.
 */
export function afterPicture(work: () => void, restMs = 0): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      timer = setTimeout(work, restMs);
    });
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Resolves after the browser has painted the next frame, and `restMs` later. */
export const picture = (restMs = 0): Promise<void> =>
  new Promise((resolve) => {
    afterPicture(resolve, restMs);
  });
