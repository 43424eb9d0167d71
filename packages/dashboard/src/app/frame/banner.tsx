import { useEffect } from "preact/hooks";
import { boot } from "../data/calls/session.ts";
import { connection, lastHeard, nextTry, reconnect } from "../data/live.ts";
import { Button } from "../parts/basic/button.tsx";
import { Icon } from "../parts/basic/icon.tsx";
import { clockSeconds, now } from "../texts/format.ts";
import { t } from "../texts/words/frame.ts";

/** Warns that the page shows old data, and since when. */
export function LostBanner() {
  const isLost = connection.value === "lost";
  useEffect(() => {
    document.documentElement.classList.toggle("stale", isLost);
  }, [isLost]);
  if (!isLost) return null;
  const since = clockSeconds(lastHeard.value || now.value);
  return (
    <div class="banner" role="alert">
      <Icon name="warn" />
      {t("lostSince", { time: since, n: Math.max(0, Math.ceil(nextTry.value - now.value)) })}
      <Button kind="row" onClick={reconnect}>
        {t("tryNow")}
      </Button>
    </div>
  );
}

export const ReadOnlyNote = () =>
  boot.value?.readOnly ? (
    <p class="banner calm-note">
      <Icon name="info" />
      {t("readOnly")}
    </p>
  ) : null;
