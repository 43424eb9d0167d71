import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  readonly title: ComponentChildren;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  /** The item belongs to a group in which exactly one is checked. */
  readonly isChecked?: boolean;
  run(): unknown;
}

interface MenuProps {
  readonly label: string;
  /** Label of the button; absent: three dots. */
  readonly children?: ComponentChildren;
  readonly kind?: string;
  /** `null` draws a line between two groups. */
  readonly items: readonly (MenuItem | undefined | false | null)[];
}

/** A button that opens a menu of actions over the page. */
export function Menu({ label, children, kind = "btn bare", items }: MenuProps) {
  const id = useId().replaceAll(":", "");
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const shown = items.filter((item): item is MenuItem | null => item === null || Boolean(item));
  if (!shown.some(Boolean)) return null;
  const onToggle = (event: Event): void => {
    if ((event as ToggleEvent).newState === "open") place(button.current, list.current);
  };
  // Focuses the button before an item runs, so that a dialog that the item opens returns the focus to it.
  const hide = (): void => {
    list.current?.hidePopover();
    button.current?.focus();
  };
  return (
    <>
      <button ref={button} type="button" class={kind} aria-label={label} aria-haspopup="menu" popoverTarget={id}>
        {children ?? <Icon name="more" />}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        class="menu"
        role="menu"
        aria-label={label}
        onToggle={onToggle}
        onKeyDown={step}
      >
        {shown.map((item, at) => (item ? <Item key={at} item={item} hide={hide} /> : <hr key={at} />))}
      </div>
    </>
  );
}

/** Places the menu below the button, or above where there is no room, within the window. */
function place(button: HTMLElement | null, list: HTMLElement | null): void {
  if (!button || !list) return;
  const at = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = list;
  const isAbove = at.bottom + offsetHeight + 8 > innerHeight && at.top > offsetHeight;
  const top = isAbove ? at.top - offsetHeight - 4 : at.bottom + 4;
  // A menu in the left half of the window starts at the button's left edge, so that it covers nothing outside its panel.
  const left = at.left + at.right < innerWidth ? at.left : at.right - offsetWidth;
  list.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
  list.style.top = `${Math.max(8, Math.min(top, innerHeight - offsetHeight - 8))}px`;
  list.querySelector("button")?.focus();
}

/** The index that a key moves to, from the current one of `count`. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function step(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  // The focus is on the button again, so Tab continues from there.
  if (event.key === "Tab") list.hidePopover();
  const next = Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : undefined;
  if (!next) return;
  event.preventDefault();
  const items = [...list.querySelectorAll("button")];
  items[next(items.indexOf(document.activeElement as HTMLButtonElement), items.length)]?.focus();
}

interface ItemProps {
  readonly item: MenuItem;
  readonly hide: () => void;
}

const Item = ({ item: { title, icon, isDanger, isChecked, run }, hide }: ItemProps) => (
  <button
    type="button"
    role={isChecked === undefined ? "menuitem" : "menuitemradio"}
    aria-checked={isChecked}
    class={isDanger ? "danger" : ""}
    onClick={() => {
      hide();
      void run();
    }}
  >
    {isChecked !== undefined && <Icon name={isChecked ? "ok" : "blank"} />}
    {icon && <Icon name={icon} />}
    {title}
  </button>
);
