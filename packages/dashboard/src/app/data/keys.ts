import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { store, stored } from "./calls/session.ts";

type Keys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** True while somebody types: single keys are letters then. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** True in a field that takes typing back by itself; a menu or a box takes nothing back. */
const hasUndo = (target: EventTarget | null): boolean =>
  isTyping(target) && !(target as HTMLElement).matches("select, [type=checkbox], [type=radio]");

const stack: { current: Keys }[] = [];

/** False where single letters and signs do nothing: speech and a slip of the hand press them as well. A choice of this browser. */
export const hasSingleKeys = signal(true);

export function setSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn;
  store("keys", isOn ? "on" : "off");
}

/** Name of the pressed key: "a", "Escape", "mod+k" for ctrl or command. */
const nameOf = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string => {
  if (altKey) return "";
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;
};

function onKey(event: KeyboardEvent): void {
  const name = nameOf(event);
  if (event.defaultPrevented || !name) return;
  if (name.length === 1 && !hasSingleKeys.peek()) return;
  // The last change of the page must not go with typed text.
  const isOwn = name.startsWith("mod+") ? hasUndo(event.target) : isTyping(event.target);
  if (isOwn && name !== "mod+k" && name !== "Escape") return;
  // A dialog has its keys to itself, and so has a menu.
  if (document.querySelector("dialog[open], :popover-open") && !name.startsWith("mod+")) return;
  const found = stack.findLast(({ current }) => Object.hasOwn(current, name));
  if (!found) return;
  event.preventDefault();
  found.current[name]?.(event);
}

/** Keys of a part while it is shown; the newest part wins: `useKeys({ a: acknowledge, Escape: close })`. */
export function useKeys(keys: Keys, { isFrame = false } = {}): void {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    // Of a page that is there from the start the frame is drawn last, and would be its newest part.
    if (isFrame) stack.unshift(newest);
    else stack.push(newest);
    return () => void stack.splice(stack.indexOf(newest), 1);
  }, []);
}

export function startKeys(): void {
  hasSingleKeys.value = stored("keys") !== "off";
  document.addEventListener("keydown", onKey);
}
