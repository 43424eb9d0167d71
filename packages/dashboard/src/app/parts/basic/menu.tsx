import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  readonly title: ComponentChildren;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  /** One of a group of which one holds. */
  readonly isChecked?: boolean;
  run(): unknown;
}

interface MenuProps {
  readonly label: string;
  /** Label of the button; without it three points. */
  readonly children?: ComponentChildren;
  readonly kind?: string;
  /** A line stands between two groups, which `null` parts. */
  readonly items: readonly (MenuItem | undefined | false | null)[];
}

/** A button that opens a list of actions over the page. */
export function Menu({ label, children, kind = "btn bare", items }: MenuProps) {
  const id = useId().replaceAll(":", "");
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const shown = items.filter((item): item is MenuItem | null => item === null || Boolean(item));
  if (!shown.some(Boolean)) return null;
  const onToggle = (event: Event): void => {
    if ((event as ToggleEvent).newState === "open") place(button.current, list.current);
  };
  // The button has the focus when an item runs: a dialog that the item opens gives it back to that.
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

/** Below the button, inside of the window. */
function place(button: HTMLElement | null, list: HTMLElement | null): void {
  if (!button || !list) return;
  const at = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = list;
  const isAbove = at.bottom + offsetHeight + 8 > innerHeight && at.top > offsetHeight;
  const top = isAbove ? at.top - offsetHeight - 4 : at.bottom + 4;
  // Below a button of the left half it begins where the button does, and covers nothing beside its panel.
  const left = at.left + at.right < innerWidth ? at.left : at.right - offsetWidth;
  list.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
  list.style.top = `${Math.max(8, Math.min(top, innerHeight - offsetHeight - 8))}px`;
  list.querySelector("button")?.focus();
}

/** Places that keys of a menu lead to, from one of `count`. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function step(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  // The button has the focus again, and Tab goes on from there.
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
