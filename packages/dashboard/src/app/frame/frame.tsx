import { useEffect, useState } from "preact/hooks";
import { keepFocus } from "../data/focus.ts";
import { useKeys } from "../data/keys.ts";
import { startLive, togglePause } from "../data/live.ts";
import { startNotices } from "../data/notices.ts";
import { startCounts } from "../data/records/counts.ts";
import { pickRow, stepRow } from "../data/row-keys.ts";
import { Confirmations } from "../parts/basic/dialog.tsx";
import { Toasts } from "../parts/basic/toast.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { go, place } from "../router/router.ts";
import { t } from "../texts/words/frame.ts";
import { LostBanner, ReadOnlyNote } from "./banner.tsx";
import { startTitle } from "./crumbs.ts";
import { entries, Navigation, TabBar } from "./navigation.tsx";
import { Outlet } from "./outlet.tsx";
import { flipTheme } from "./theme.ts";
import { TopBar } from "./top-bar.tsx";

const loadPalette = () => import("./palette/index.tsx");

/** Everything around a page. */
export function Frame() {
  const [isSearching, setSearching] = useState(place.value.query["find"] !== undefined);
  const open = (): void => setSearching(true);
  // Requested during the first render, because the first line of the overview waits for the counts.
  useState(startCounts);
  useEffect(() => {
    startTitle();
    startNotices();
    const [stopLive, stopFocus] = [startLive(), keepFocus()];
    return () => {
      stopLive();
      stopFocus();
    };
  }, []);
  useShortcuts(open);
  return (
    <>
      <a class="skip" href="#main">
        {t("skip")}
      </a>
      <div class="frame">
        <Navigation />
        <TopBar onSearch={open} />
        <main id="main" tabIndex={-1}>
          <LostBanner />
          <ReadOnlyNote />
          <Outlet />
        </main>
      </div>
      <TabBar onMore={open} />
      <Toasts />
      <Confirmations />
      {isSearching && (
        <Lazy load={loadPalette} part={({ Palette }) => <Palette onClose={() => setSearching(false)} />} />
      )}
    </>
  );
}

function useShortcuts(openPalette: () => void): void {
  const [isGoing, setGoing] = useState(false);
  const pageKeys = Object.fromEntries(
    entries().flatMap(({ key, routes }) => (key ? [[key, () => go(routes[0])]] : [])),
  );
  useKeys(
    {
      "mod+k": openPalette,
      "?": openPalette,
      "/": () => focusFilter(openPalette),
      j: () => stepRow(1),
      k: () => stepRow(-1),
      x: pickRow,
      t: flipTheme,
      ".": togglePause,
      g: () => {
        setGoing(true);
        setTimeout(() => setGoing(false), 1500);
      },
      ...(isGoing ? pageKeys : {}),
    },
    { isFrame: true },
  );
}

/** Focuses the filter of the page, or opens the search over everything. */
function focusFilter(otherwise: () => void): void {
  const filter = document.querySelector<HTMLInputElement>("main [data-filter]");
  if (filter) filter.focus();
  else otherwise();
}
