/**
 * Runs the work after the next picture of the page; in a tab that is not shown, once it is shown again. An effect is no such
 * time: where drawing takes longer than 35 ms, Preact runs effects before the picture. Gives a function that takes the work back.
 */
export function afterPicture(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
