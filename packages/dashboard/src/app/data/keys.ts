import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { store, stored } from "./calls/session.ts";

type Keys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** True in a field for text, where single keys are letters. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** True in a field that has its own undo for typing; menus and checkboxes have none. */
const hasUndo = (target: EventTarget | null): boolean =>
  isTyping(target) && !(target as HTMLElement).matches("select, [type=checkbox], [type=radio]");

const stack: { current: Keys }[] = [];

/**
 * False when single letters and signs do nothing, because speech input and slips press them as well. A setting of this browser.
 */
export const hasSingleKeys = signal(true);

export function setSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn;
  store("keys", isOn ? "on" : "off");
}

/** Name of the pressed key: "a", "Escape", "mod+k" for Ctrl or Command. */
const nameOf = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string => {
  if (altKey) return "";
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;
};

function onKey(event: KeyboardEvent): void {
  const name = nameOf(event);
  if (event.defaultPrevented || !name) return;
  if (name.length === 1 && !hasSingleKeys.peek()) return;
  // Undo in a field takes back typing, not the page's last change.
  const isOwn = name.startsWith("mod+") ? hasUndo(event.target) : isTyping(event.target);
  if (isOwn && name !== "mod+k" && name !== "Escape") return;
  // Dialogs and menus handle their keys themselves.
  if (document.querySelector("dialog[open], :popover-open") && !name.startsWith("mod+")) return;
  const found = stack.findLast(({ current }) => Object.hasOwn(current, name));
  if (!found) return;
  event.preventDefault();
  found.current[name]?.(event);
}

/** Handles keys while a component is mounted; the one mounted last wins: `useKeys({ a: acknowledge, Escape: close })`. */
export function useKeys(keys: Keys, { isFrame = false } = {}): void {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    // On the first load the frame mounts after its page, and would win over it.
    if (isFrame) stack.unshift(newest);
    else stack.push(newest);
    return () => void stack.splice(stack.indexOf(newest), 1);
  }, []);
}

export function startKeys(): void {
  hasSingleKeys.value = stored("keys") !== "off";
  document.addEventListener("keydown", onKey);
}
