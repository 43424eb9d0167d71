import { computed } from "@preact/signals";
import { useState } from "preact/hooks";
import { boot } from "../../data/calls/session.ts";
import { Mark } from "../../frame/navigation.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { Lazy } from "../../parts/lazy.tsx";
import { go, place } from "../../router/router.ts";
import { PasswordField, usePassword } from "./password.tsx";
import { t } from "./texts.ts";

const loadRecover = () => import("./recover.tsx");

/** True at the address in the mails about forgotten passwords. */
export const isResetting = computed(() => place.value.path === "/login/reset");

/** Replaces all pages until the viewer signs in. The address stays, so that the requested page opens afterwards. */
export const Login = () => (
  <main class="login">
    <div class="panel">
      <div class="brand">
        <Mark />
        <h1 class="cut">{boot.value?.title}</h1>
      </div>
      {isResetting.value ? <Lazy load={loadRecover} part={({ Recover }) => <Recover />} /> : <SignIn />}
    </div>
  </main>
);

function SignIn() {
  const [username, setUsername] = useState("");
  const { isWaiting, submit, ...entered } = usePassword(username);
  return (
    <form class="stack" aria-label={t("title")} onSubmit={(event) => void submit(event)}>
      {history.state?.hasEnded && <p role="status">{t("ended")}</p>}
      <UserName value={username} onInput={setUsername} />
      <PasswordField {...entered} />
      <Button type="submit" kind="primary" isDisabled={isWaiting}>
        {t("submit")}
      </Button>
      <Button kind="bare" onClick={() => go("/login/reset")}>
        {t("forgot")}
      </Button>
    </form>
  );
}

interface UserNameProps {
  readonly value: string;
  readonly onInput: (name: string) => void;
}

const UserName = ({ value, onInput }: UserNameProps) => (
  <Field label={t("user")}>
    {(id) => <TextInput id={id} name="username" value={value} autocomplete="username" isRequired onInput={onInput} />}
  </Field>
);
