import { useLayoutEffect, useRef } from "preact/hooks";
import { hasEnded, viewer } from "../../data/calls/session.ts";
import { renew } from "../../data/live.ts";
import { Button } from "../../parts/basic/button.tsx";
import { giveUpEntries } from "../../router/entries.ts";
import { PasswordField, usePassword } from "./password.tsx";
import { t } from "./texts.ts";

/** Hides the page below, whose owner may not be the one who sits here now. */
function useHidden(): void {
  useLayoutEffect(() => {
    const app = document.getElementById("app");
    app?.classList.add("ended");
    return () => app?.classList.remove("ended");
  }, []);
}

function leave(): void {
  giveUpEntries();
  location.reload();
}

/** Asks for the password over a page whose session has ended, so that its entries are not lost. */
export function Again() {
  const element = useRef<HTMLDialogElement>(null);
  const name = viewer.peek()?.id ?? "";
  const { isWaiting, submit, ...entered } = usePassword(name, () => {
    hasEnded.value = false;
    renew();
  });
  useHidden();
  useLayoutEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} class="dialog" aria-label={t("title")} onClose={() => element.current?.showModal()}>
      <form onSubmit={submit}>
        <div class="body form">
          <p role="status">{t("endedHere", { name })}</p>
          <input hidden name="username" autocomplete="username" value={name} />
          <PasswordField {...entered} />
        </div>
        <footer>
          <Button onClick={leave}>{t("leaveIt")}</Button>
          <Button type="submit" kind="primary" isBusy={isWaiting}>
            {t("submit")}
          </Button>
        </footer>
      </form>
    </dialog>
  );
}
