import { effect, signal } from "@preact/signals";
import { fetchBoot, type Viewer } from "../calls/boot.ts";
import { boot, refusals, SIGNED_IN, take } from "../calls/session.ts";
import { onLive } from "../live.ts";

/**
 * Another account that this browser is now signed in as. Windows share a cookie, so the server answers this window's calls for
 * that account. Undefined while the session belongs to the page's viewer.
 */
export const successor = signal<Viewer | undefined>(undefined);

const isSame = (one: Viewer, other: Viewer): boolean => one.kind === other.kind && one.id === other.id;

/** Asks whose session it is. If it is still the viewer's, adopts their current rights; if it is nobody's, calls `ended`. */
async function lookAgain(ended: () => void): Promise<void> {
  const before = boot.peek();
  if (!before?.viewer) return;
  const answer = await fetchBoot();
  // What the page has saved or learnt since may be newer than the answer.
  if (boot.peek() !== before) return lookAgain(ended);
  if (!answer.viewer) return ended();
  const isOwn = isSame(before.viewer, answer.viewer);
  successor.value = isOwn ? undefined : answer.viewer;
  if (isOwn) await take(answer);
}

/** One look at a time, and one more if another was asked for meanwhile: of two answers, the older could come last. */
function inTurn(run: () => Promise<void>): () => void {
  let [isRunning, isAsked] = [false, false];
  const runAll = async (): Promise<void> => {
    for (isRunning = true; isAsked; ) {
      isAsked = false;
      // Errors are ignored: when the server is away, the channel reconnects.
      await run().catch(() => undefined);
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void runAll();
  };
}

/** Checks who is signed in whenever that may have changed. Called once. */
export function startSuccessor(ended: () => void): void {
  const look = inTurn(() => lookAgain(ended));
  addEventListener("storage", ({ key }) => key === `signalbox.${SIGNED_IN}` && look());
  document.addEventListener("visibilitychange", () => !document.hidden && look());
  onLive("back", look);
  // The browser expires the cookie by its own clock, and the channel does not learn of it; refused calls reveal it.
  effect(() => {
    if (refusals.value > 0) look();
  });
  // The viewer's own rights or preferences have changed, and so have the actions that pages offer.
  onLive("self_update", look);
}
