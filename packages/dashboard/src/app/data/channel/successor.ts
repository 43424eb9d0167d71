import { effect, signal } from "@preact/signals";
import { fetchBoot, type Viewer } from "../calls/boot.ts";
import { refusals, SIGNED_IN, take, viewer } from "../calls/session.ts";
import { onLive } from "../live.ts";

/**
 * Another account that this browser is signed in as by now: windows share a cookie, so what this one asks is answered for
 * that account. Undefined while the session is that of the page.
 */
export const successor = signal<Viewer | undefined>(undefined);

const isSame = (one: Viewer, other: Viewer): boolean => one.kind === other.kind && one.id === other.id;

/** Asks whose session it is, and goes on with the rights of today where it is still the viewer's; `ended`: it is nobody's. */
async function lookAgain(ended: () => void): Promise<void> {
  const before = viewer.peek();
  if (!before) return;
  const answer = await fetchBoot();
  if (!answer.viewer) return ended();
  const isOwn = isSame(before, answer.viewer);
  successor.value = isOwn ? undefined : answer.viewer;
  if (isOwn) await take(answer);
}

/** Asks who is signed in whenever that may have changed. Called once. */
export function startSuccessor(ended: () => void): void {
  // A server that is away is looked for by the channel.
  const look = (): void => void lookAgain(ended).catch(() => undefined);
  addEventListener("storage", ({ key }) => key === `signalbox.${SIGNED_IN}` && look());
  document.addEventListener("visibilitychange", () => !document.hidden && look());
  onLive("back", look);
  // A cookie goes by the clock of its browser, of which the channel does not hear.
  effect(() => {
    if (refusals.value > 0) look();
  });
  // The viewer's own rights or preferences have changed, and the offered actions with them.
  onLive("self_update", look);
}
