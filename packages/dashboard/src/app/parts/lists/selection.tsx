import { type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { inTurns } from "../../data/calls/in-turns.ts";
import { asError } from "../../data/calls/load.ts";
import { t } from "../../texts/words/frame.ts";
import { Button } from "../basic/button.tsx";

/** Ids of the selected records. The selection survives sorting, paging and live changes. */
export interface Selection {
  readonly ids: ReadonlySignal<ReadonlySet<string>>;
  toggle(id: string, isOn: boolean): void;
  clear(): void;
  readonly One: (props: { id: string; name: string }) => ComponentChildren;
  readonly All: (props: { ids: readonly string[] }) => ComponentChildren;
}

/** Call it once a page: `const selection = useMemo(createSelection, [])`. */
export function createSelection(): Selection {
  const ids = signal<ReadonlySet<string>>(new Set());
  const change = (given: readonly string[], isOn: boolean): void => {
    const next = new Set(ids.peek());
    for (const id of given) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    ids.value = next;
  };
  return {
    ids,
    toggle: (id, isOn) => change([id], isOn),
    clear: () => {
      ids.value = new Set();
    },
    One: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={t("selectRow", { name })}
        checked={ids.value.has(id)}
        onChange={(event) => change([id], event.currentTarget.checked)}
      />
    ),
    All: ({ ids: shown }) => (
      <input
        type="checkbox"
        aria-label={t("selectShown")}
        checked={shown.length > 0 && shown.every((id) => ids.value.has(id))}
        onChange={(event) => change(shown, event.currentTarget.checked)}
      />
    ),
  };
}

const NOT_FOUND = 404;

/**
 * Runs something for each selected record, until the first refusal. Records that are done, or do not exist any more, are
 * deselected, so that another try continues with the rest.
 */
export const forEachChosen = ({ ids, toggle }: Selection, run: (id: string) => Promise<unknown>): Promise<void> =>
  inTurns([...ids.peek()], async (id) => {
    await run(id).catch((reason: unknown) => {
      if (asError(reason).status !== NOT_FOUND) throw reason;
    });
    toggle(id, false);
  });

interface BarProps {
  readonly selection: Selection;
  /** Actions on all selected records. */
  readonly children: ComponentChildren;
}

/** A bar at the bottom while something is selected. */
export function SelectionBar({ selection, children }: BarProps) {
  const count = selection.ids.value.size;
  if (count === 0) return null;
  return (
    <div class="foot" role="region" aria-label={t("selected", { n: count })}>
      <b>{t("selected", { n: count })}</b>
      <span class="grow" />
      {children}
      <Button kind="bare" onClick={selection.clear}>
        {t("deselect")}
      </Button>
    </div>
  );
}
