import { signal } from "@preact/signals";

export interface Said {
  readonly text: string;
  /** "crit" stays until it is closed. */
  readonly tone?: "ok" | "crit";
  /** Below the mount: where more of it stands. */
  readonly path?: string;
  /** Undoes the action. */
  readonly undo?: () => Promise<unknown>;
}

export interface Shown extends Said {
  readonly id: number;
}

/** Messages at the edge of the page; drawn by the toasts. */
export const shown = signal<readonly Shown[]>([]);
/** Dialogs over the page, the top one last. Nothing below it can be read or pressed, so messages are drawn in it. */
export const layers = signal<readonly string[]>([]);
const MOST = 3;
const STAYS_MS = 10_000;
let count = 0;

export const close = (id: number): void => {
  shown.value = shown.peek().filter((toast) => toast.id !== id);
};

/** Number of the newest message. */
export const newest = (): number => count;

const isRefusal = ({ id, tone }: Shown, since: number): boolean => tone === "crit" && id > since;

/** The last refusal after that message. */
export const refusalSince = (since: number): string | undefined =>
  shown.value.findLast((said) => isRefusal(said, since))?.text;

/** Closes the refusals after that message: they were read, or the act is tried again. */
export const closeRefusals = (since: number): void => {
  shown.value = shown.peek().filter((said) => !isRefusal(said, since));
};

/** Says something at the edge of the page: how an action went. */
export function say(said: Said): void {
  count += 1;
  const id = count;
  shown.value = [...shown.peek(), { ...said, id }].slice(-MOST);
  if (said.tone !== "crit") fade(id);
}

/** Closes it in a while, but never under the pointer or the focus. */
function fade(id: number): void {
  setTimeout(() => {
    const element = document.getElementById(`toast-${id}`);
    if (element?.matches(":hover, :focus-within")) fade(id);
    else close(id);
  }, STAYS_MS);
}
