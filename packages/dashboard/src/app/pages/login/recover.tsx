import { useEffect, useState } from "preact/hooks";
import { asError } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { Button } from "../../parts/basic/button.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { go, place } from "../../router/router.ts";
import { t } from "./texts.ts";

/** A new password in place of a forgotten one: asks for a mail, or takes the key that came with one. */
export function Recover() {
  const [given] = useState(() => place.peek().query);
  const { u: username, h: key } = given;
  useEffect(() => {
    // The key must not stay in the address, where others may read it.
    void go("/login/reset", { replace: true });
  }, []);
  return username && key ? <Choose username={username} code={key} /> : <Ask />;
}

interface FormProps {
  readonly verb: string;
  readonly done: string;
  readonly isReady: boolean;
  readonly run: () => Promise<unknown>;
  readonly children: preact.ComponentChildren;
}

function Form({ verb, done, isReady, run, children }: FormProps) {
  const [error, setError] = useState<string>();
  const [isDone, setDone] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError(undefined);
    await run().then(
      () => setDone(true),
      (reason: unknown) => setError(asError(reason).description || t("network")),
    );
  };
  if (isDone)
    return (
      <>
        <p role="status">{done}</p>
        <Back />
      </>
    );
  return (
    <form class="stack" aria-label={verb} onSubmit={(event) => void submit(event)}>
      {children}
      {error && (
        <p class="late" role="alert">
          {error}
        </p>
      )}
      <Button type="submit" kind="primary" isDisabled={!isReady}>
        {verb}
      </Button>
      <Back />
    </form>
  );
}

const Back = () => (
  <Button kind="bare" onClick={() => go("/")}>
    {t("toLogin")}
  </Button>
);

function Ask() {
  const [username, setUsername] = useState("");
  const [email, setEmail] = useState("");
  const run = () => api.userForgotPassword({ username, email });
  return (
    <Form verb={t("sendMail")} done={t("mailSent")} isReady={Boolean(username && email)} run={run}>
      <p class="dim sm">{t("forgotHelp")}</p>
      <Field label={t("user")}>
        {(id) => <TextInput {...{ id, value: username, onInput: setUsername, autocomplete: "username" }} />}
      </Field>
      <Field label={t("email")}>
        {(id) => <TextInput {...{ id, type: "email", value: email, onInput: setEmail, autocomplete: "email" }} />}
      </Field>
    </Form>
  );
}

function Choose({ username, code }: { readonly username: string; readonly code: string }) {
  const [password, setPassword] = useState("");
  const run = () => api.userResetPassword({ username, key: code, new_password: password });
  return (
    <Form verb={t("setPassword")} done={t("passwordSet")} isReady={password !== ""} run={run}>
      <Field label={t("newPassword")} help={t("newPasswordOf", { name: username })}>
        {(id, describedBy) => (
          <TextInput
            {...{ id, describedBy, type: "password", autocomplete: "new-password" }}
            value={password}
            onInput={setPassword}
          />
        )}
      </Field>
    </Form>
  );
}
