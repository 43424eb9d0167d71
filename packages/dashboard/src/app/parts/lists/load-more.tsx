import type { Signal } from "@preact/signals";
import { t } from "../../texts/words/frame.ts";
import { Button } from "../basic/button.tsx";

interface LoadMoreProps {
  /** Number of rows to ask for. */
  readonly limit: Signal<number>;
  readonly step: number;
  /** Rows loaded, and rows found in all. */
  readonly shown: number;
  readonly all: number;
}

/** A button that asks for the next rows of a list, while there are any. */
export const LoadMore = ({ limit, step, shown, all }: LoadMoreProps) =>
  shown < all ? (
    <Button
      onClick={() => {
        limit.value += step;
      }}
    >
      {t("loadMore", { n: Math.min(step, all - shown) })}
    </Button>
  ) : null;

/** Foot of a list that is not fully loaded. */
export const Tail = ({ hasCount, ...more }: LoadMoreProps & { readonly hasCount?: boolean }) =>
  more.shown < more.all ? (
    <footer class="tail">
      <LoadMore {...more} />
      {hasCount && <span class="dim xs">{t("ofAll", { shown: more.shown, all: more.all })}</span>}
    </footer>
  ) : null;
