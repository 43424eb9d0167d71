/** A chart is begun when it is so many pixels from the screen. */
const MARGIN = 300;

type Seen = (width: number) => void;

/** Boxes of which nobody has asked yet where they are. */
const fresh = new Map<Element, Seen>();
/** Boxes that were not near the screen. */
const far = new Map<Element, Seen>();
let observer: IntersectionObserver | undefined;

/**
 * Tells once, with its width, when a box comes near the screen, and returns how to stop. For new boxes of one turn the page
 * is laid out once, and they are told before its next picture.
 */
export function whenNear(box: Element, seen: Seen): () => void {
  if (fresh.size === 0) queueMicrotask(look);
  fresh.set(box, seen);
  return () => {
    fresh.delete(box);
    far.delete(box);
    observer?.unobserve(box);
  };
}

function look(): void {
  const places = [...fresh].map(([box, seen]) => ({ box, seen, place: box.getBoundingClientRect() }));
  fresh.clear();
  for (const { box, seen, place } of places) {
    const isNear = place.width > 0 && place.bottom > -MARGIN && place.top < innerHeight + MARGIN;
    if (isNear) seen(place.width);
    else wait(box, seen);
  }
}

function wait(box: Element, seen: Seen): void {
  far.set(box, seen);
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        if (!isIntersecting) continue;
        observer?.unobserve(target);
        far.get(target)?.(boundingClientRect.width);
        far.delete(target);
      }
    },
    { rootMargin: `${MARGIN}px` },
  );
  observer.observe(box);
}
