import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { asError } from "../../data/calls/load.ts";
import { hasEnded, signIn, viewer } from "../../data/calls/session.ts";
import { renew } from "../../data/live.ts";
import { Button } from "../../parts/basic/button.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { t } from "./texts.ts";

/** Hides the page below, whose owner may not be the one who sits here now. */
function useHidden(): void {
  useLayoutEffect(() => {
    const app = document.getElementById("app");
    app?.classList.add("ended");
    return () => app?.classList.remove("ended");
  }, []);
}

/** The password of the page's owner, and the new session that it begins. */
function useAgain(name: string) {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [isWaiting, setWaiting] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWaiting(true);
    try {
      await signIn(name, password);
      hasEnded.value = false;
      renew();
    } catch (reason) {
      const { code, description } = asError(reason);
      setError(code === "network" ? t("network") : description);
      setPassword("");
      setWaiting(false);
    }
  };
  return { password, setPassword, error, isWaiting, submit };
}

/** Asks for the password over a page whose session has ended, so that its entries are not lost. */
export function Again() {
  const element = useRef<HTMLDialogElement>(null);
  const name = viewer.peek()?.id ?? "";
  const { password, setPassword, error, isWaiting, submit } = useAgain(name);
  useHidden();
  useLayoutEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} class="dialog" aria-label={t("title")} onClose={() => element.current?.showModal()}>
      <form onSubmit={submit}>
        <div class="body form">
          <p role="status">{t("endedHere", { name })}</p>
          <input hidden name="username" autocomplete="username" value={name} />
          <Field label={t("password")} error={error}>
            {(id, describedBy) => (
              <TextInput
                {...{ id, describedBy, type: "password", name: "password", value: password, isRequired: true }}
                onInput={setPassword}
                autocomplete="current-password"
              />
            )}
          </Field>
        </div>
        <footer>
          <Button onClick={() => location.reload()}>{t("leaveIt")}</Button>
          <Button type="submit" kind="primary" isBusy={isWaiting}>
            {t("submit")}
          </Button>
        </footer>
      </form>
    </dialog>
  );
}
