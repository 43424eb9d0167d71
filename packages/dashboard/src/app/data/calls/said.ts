import { signal } from "@preact/signals";

export interface Said {
  readonly text: string;
  /** A "crit" message stays until it is closed. */
  readonly tone?: "ok" | "crit";
  /** Path below the mount to the page with the details. */
  readonly path?: string;
  /** Undoes the action. */
  readonly undo?: () => Promise<unknown>;
}

export interface Shown extends Said {
  readonly id: number;
}

/** Messages at the edge of the page, rendered by the toasts. */
export const shown = signal<readonly Shown[]>([]);
/** Open dialogs, the top one last. Messages are drawn in the top one, because nothing below it can be read or pressed. */
export const layers = signal<readonly string[]>([]);
const MOST = 3;
const STAYS_MS = 10_000;
let count = 0;

export const close = (id: number): void => {
  shown.value = shown.peek().filter((toast) => toast.id !== id);
};

/** Number of the newest message, to pass as `since`. */
export const newest = (): number => count;

const isRefusal = ({ id, tone }: Shown, since: number): boolean => tone === "crit" && id > since;

/** Text of the last refusal after the message `since`. */
export const refusalSince = (since: number): string | undefined =>
  shown.value.findLast((said) => isRefusal(said, since))?.text;

/** Closes the refusals after the message `since`: they were read, or the viewer tries again. */
export const closeRefusals = (since: number): void => {
  shown.value = shown.peek().filter((said) => !isRefusal(said, since));
};

/** Shows a message at the edge of the page, about how an action went. An equal message makes room, so that others stay. */
export function say(said: Said): void {
  count += 1;
  const id = count;
  const others = shown.peek().filter(({ text, tone }) => text !== said.text || tone !== said.tone || tone !== "crit");
  shown.value = [...others, { ...said, id }].slice(-MOST);
  if (said.tone !== "crit") fade(id);
}

/** Closes the message after a while, but never while it has the pointer or the focus. */
function fade(id: number): void {
  setTimeout(() => {
    const element = document.getElementById(`toast-${id}`);
    if (element?.matches(":hover, :focus-within")) fade(id);
    else close(id);
  }, STAYS_MS);
}
