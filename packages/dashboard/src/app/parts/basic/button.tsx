import type { ComponentChildren } from "preact";
import { isUnderWay } from "../../data/calls/act.ts";
import { can } from "../../data/calls/session.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonProps {
  readonly onClick?: (event: MouseEvent) => unknown;
  /** "primary" at most once a page, "danger" for what destroys, "row" in lists, "bare" for icons without a frame. */
  readonly kind?: "primary" | "danger" | "row" | "bare";
  readonly icon?: IconName;
  /** Accessible name where the text says too little: "Abort Nightly run". Must begin with the text. */
  readonly label?: string | undefined;
  readonly title?: string;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  /** True while an answer is awaited: the button does nothing, but keeps the focus, which a disabled button would lose. */
  readonly isBusy?: boolean;
  readonly type?: "button" | "submit";
  readonly children?: ComponentChildren;
}

export function Button({
  kind,
  icon,
  label,
  title,
  isPressed,
  isDisabled,
  isBusy = false,
  type = "button",
  onClick,
  children,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`btn ${kind ?? ""}`}
      aria-label={label}
      title={title}
      aria-pressed={isPressed}
      disabled={isDisabled}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : void onClick?.(event))}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface ActionProps extends Omit<ButtonProps, "onClick"> {
  /** The privilege that the action needs; without it the button is hidden. "" = everybody who may look, unless read-only. */
  readonly needs: string;
  /** Key of the deed, `abort ${id}`; the button waits while it is under way. */
  readonly deed: string;
  /** Usually `() => act(deed, {…})`. */
  readonly run: () => unknown;
}

/** A button that changes something. */
export function Action({ needs, deed, run, ...button }: ActionProps) {
  if (!can(needs)) return null;
  return <Button {...button} isBusy={isUnderWay(deed)} onClick={run} />;
}
