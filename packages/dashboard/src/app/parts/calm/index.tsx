import type { RefObject } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";
import { t } from "../../texts/words/frame.ts";
import { Icon } from "../basic/icon.tsx";
import type { Selection } from "../lists/selection.tsx";
import { type CalmRows, calmRows } from "./rows.ts";

interface Options<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The question that the rows answer; rows for a new filter, order or length show at once. Absent: all changes show at once. */
  readonly question: string | undefined;
  readonly selection?: Selection | undefined;
}

export interface Calm<Row> extends CalmRows<Row> {
  /** Shows the waiting rows. */
  show(): void;
}

const HANDS = ["pointerenter", "pointerleave", "focusin", "focusout"] as const;

/** True when the first row is still inside the window. */
const isAtTop = (list: HTMLElement): boolean => list.getBoundingClientRect().top >= 0;

/** True while rows must not move: the viewer points at them, has the focus in them, has selected some, or has scrolled down. */
function isHeld(list: HTMLElement | null, selection: Selection | undefined): boolean {
  if (!list) return false;
  const hasHand = list.matches(":hover") || list.contains(document.activeElement);
  return hasHand || (selection?.ids.peek().size ?? 0) > 0 || !isAtTop(list);
}

/** Freezes the rows of a list while the viewer is using it. New rows wait behind a button. */
export function useCalm<Row>(list: RefObject<HTMLElement | null>, options: Options<Row>): Calm<Row> {
  const { rows, keyOf, question, selection } = options;
  const shown = useRef({ question, rows });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const isSame = question !== undefined && shown.current.question === question;
  if (!isSame || !isHeld(list.current, selection)) shown.current = { question, rows };
  const calm = calmRows(shown.current.rows, rows, keyOf);
  const isWaiting = shown.current.rows !== rows;
  useEffect(() => {
    const { current } = list;
    if (!isWaiting || !current) return undefined;
    // Waits until after the event, when the pointer or focus has arrived at its new element.
    const look = (): void => void setTimeout(() => isHeld(current, selection) || redraw(0));
    for (const name of HANDS) current.addEventListener(name, look);
    addEventListener("scroll", look, { passive: true, capture: true });
    const forget = selection?.ids.subscribe(look);
    return () => {
      for (const name of HANDS) current.removeEventListener(name, look);
      removeEventListener("scroll", look, { capture: true });
      forget?.();
    };
  }, [isWaiting, list.current, selection]);
  const show = (): void => {
    shown.current = { question, rows };
    redraw(0);
  };
  return { ...calm, show };
}

/** A bar that says how many rows wait, and shows them. */
export const NewRows = ({ fresh, show }: Pick<Calm<unknown>, "fresh" | "show">) =>
  fresh === 0 ? null : (
    <div class="new-rows">
      <button type="button" class="btn" onClick={show}>
        <Icon name="up" />
        {t("newRows", { n: fresh })}
      </button>
    </div>
  );
