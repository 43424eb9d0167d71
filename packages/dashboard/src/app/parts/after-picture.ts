/**
 * Runs the work after the next picture of the page; in a tab that is not shown, once it is shown again. An effect is no such
 * time: where drawing takes longer than 35 ms, Preact runs effects before the picture. The second frame is one: while the first
 * is painted, work would take the processor from it. Gives a function that takes the work back.
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

/** Resolves after the next picture. */
export const picture = (): Promise<void> =>
  new Promise((resolve) => {
    afterPicture(resolve);
  });
