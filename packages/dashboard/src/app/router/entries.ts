/**
 * One function for each part with unsaved input, which asks before the page is left. Only the newest one asks, for all of them.
 */
const guards = new Set<() => Promise<boolean>>();

/** True while leaving would lose something. */
export const isGuarded = (): boolean => guards.size > 0;

/** Whether the page may be left; if so, no guard asks again. */
export async function mayLeave(): Promise<boolean> {
  const ask = [...guards].at(-1);
  if (ask && !(await ask())) return false;
  giveUpEntries();
  return true;
}

/** Makes the browser ask, in its own words, before the tab is closed or reloaded. */
const onClosing = (event: Event): void => event.preventDefault();

/** Listens only while something would be lost: some browsers keep no page with this listener in their back-forward cache. */
function watchClosing(): void {
  if (isGuarded()) addEventListener("beforeunload", onClosing);
  else removeEventListener("beforeunload", onClosing);
}

/** Removes all guards: the entries are lost with the page. */
export function giveUpEntries(): void {
  guards.clear();
  watchClosing();
}

/** Asks before the page is left; `ask` resolves to whether it may be. Returns a function that removes the guard. */
export function guardLeaving(ask: () => Promise<boolean>): () => void {
  guards.add(ask);
  watchClosing();
  return () => {
    guards.delete(ask);
    watchClosing();
  };
}
