/** Parts of the page with unsaved input, each with its question before the page is left: one of them is asked for all. */
const guards = new Set<() => Promise<boolean>>();

/** True while something would be lost with the page. */
export const isGuarded = (): boolean => guards.size > 0;

/** Whether the page may be left; nothing of it asks again then. */
export async function mayLeave(): Promise<boolean> {
  const ask = [...guards].at(-1);
  if (ask && !(await ask())) return false;
  giveUpEntries();
  return true;
}

/** Browsers ask in words of their own before the tab is closed or loaded anew. */
const onClosing = (event: Event): void => event.preventDefault();

/** Listens for the end of the page as long as something would be lost: some browsers keep no page for "back" that always does. */
function watchClosing(): void {
  if (isGuarded()) addEventListener("beforeunload", onClosing);
  else removeEventListener("beforeunload", onClosing);
}

/** Takes all questions back: entries are lost with the page. */
export function giveUpEntries(): void {
  guards.clear();
  watchClosing();
}

/** Asks before the page is left: the function resolves to whether it may be. Returns the function that takes the question back. */
export function guardLeaving(ask: () => Promise<boolean>): () => void {
  guards.add(ask);
  watchClosing();
  return () => {
    guards.delete(ask);
    watchClosing();
  };
}
