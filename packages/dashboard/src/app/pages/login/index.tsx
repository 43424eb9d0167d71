import { useState } from "preact/hooks";
import { asError } from "../../data/load.ts";
import { boot, signIn } from "../../data/session.ts";
import { Button } from "../../parts/button.tsx";
import { Field, TextInput } from "../../parts/fields.tsx";
import { Icon } from "../../parts/icon.tsx";
import { t } from "./texts.ts";

/** Stands in place of all pages until somebody is signed in; the address stays, so the page that was meant follows. */
export function Login() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [isWaiting, setWaiting] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWaiting(true);
    setError(undefined);
    await signIn(username, password).catch((reason: unknown) => {
      const { code, description } = asError(reason);
      setError(code === "network" ? t("network") : description);
      setPassword("");
    });
    setWaiting(false);
  };
  return (
    <main class="login">
      <form class="panel" aria-label={t("title")} onSubmit={(event) => void submit(event)}>
        <div class="brand">
          <Icon name="brand" />
          <h1 class="cut">{boot.value?.title}</h1>
        </div>
        <Field label={t("user")}>
          {(id) => (
            <TextInput
              id={id}
              name="username"
              value={username}
              onInput={setUsername}
              autocomplete="username"
              isRequired
            />
          )}
        </Field>
        <Field label={t("password")} error={error}>
          {(id, describedBy) => (
            <TextInput
              {...{ id, describedBy }}
              type="password"
              name="password"
              value={password}
              onInput={setPassword}
              autocomplete="current-password"
              isRequired
            />
          )}
        </Field>
        <Button type="submit" kind="primary" isDisabled={isWaiting}>
          {t("submit")}
        </Button>
      </form>
    </main>
  );
}
