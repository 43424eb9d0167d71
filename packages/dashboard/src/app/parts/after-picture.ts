/**
 * Runs the work once a picture with all that is drawn until now was shown, or when a page that nobody sees is looked at again.
 * Effects are no such time: where drawing takes longer than 35 ms they run before the picture, which waits for them. Gives a
 * function that takes the work back.
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
