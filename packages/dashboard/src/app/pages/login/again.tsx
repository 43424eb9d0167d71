import { useLayoutEffect, useRef } from "preact/hooks";
import { closeRefusals } from "../../data/calls/said.ts";
import { boot, hasEnded, viewer } from "../../data/calls/session.ts";
import { successor } from "../../data/channel/successor.ts";
import { renew } from "../../data/live.ts";
import { Button } from "../../parts/basic/button.tsx";
import { giveUpEntries } from "../../router/entries.ts";
import { PasswordField, usePassword } from "./password.tsx";
import { t } from "./texts.ts";

/** Hides the page below, because its owner may not be the person at the screen now. */
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

/**
 * Dialog over a page whose session has ended or now belongs to another account. Asks how to continue; the entries on
 * the page stay until then.
 */
export function Again() {
  const element = useRef<HTMLDialogElement>(null);
  const name = viewer.peek()?.id ?? "";
  const other = successor.value && (successor.value.title || successor.value.id);
  const maySignIn = boot.peek()?.signIn === "own" && viewer.peek()?.kind === "user";
  const { isWaiting, submit, ...entered } = usePassword(name, () => {
    hasEnded.value = false;
    successor.value = undefined;
    renew();
  });
  useHidden();
  useLayoutEffect(() => {
    element.current?.showModal();
    // Closes notes about calls that the ended session refused, also later ones: this dialog has said so.
    return () => closeRefusals(0);
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-label={t("title")} onClose={() => element.current?.showModal()}>
      <form onSubmit={submit}>
        <div class="body form">
          <p role="status">{other === undefined ? t("endedHere", { name }) : t("replaced", { name, other })}</p>
          <input hidden name="username" autocomplete="username" value={name} />
          {maySignIn && <PasswordField {...entered} />}
        </div>
        <footer>
          <Button onClick={leave}>{other === undefined ? t("leaveIt") : t("goOnAs", { other })}</Button>
          {maySignIn && (
            <Button type="submit" kind="primary" isBusy={isWaiting}>
              {other === undefined ? t("submit") : t("signInAs", { name })}
            </Button>
          )}
        </footer>
      </form>
    </dialog>
  );
}
