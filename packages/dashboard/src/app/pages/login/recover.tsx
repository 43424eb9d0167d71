import type { SignalboxError } from "@signalbox/client";
import { useEffect, useState } from "preact/hooks";
import { asError } from "../../data/calls/load.ts";
import { api, viewer } from "../../data/calls/session.ts";
import { Button } from "../../parts/basic/button.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { go, href, place } from "../../router/router.ts";
import { t } from "./texts.ts";

/** Resets a forgotten password: uses the key from the mail's link, or asks for such a mail. */
export function Recover() {
  const [given] = useState(() => place.peek().query);
  const { u: username = "", h: key = "" } = given;
  // A mail program may have cut the address.
  const [isBroken, setBroken] = useState((username === "") !== (key === ""));
  useEffect(() => {
    // Removes the key from the address, where others could read it.
    void go("/login/reset", { replace: true });
  }, []);
  if (isBroken || key === "") return <Ask isBroken={isBroken} named={username} />;
  return <Choose username={username} code={key} onBroken={() => setBroken(true)} />;
}

interface FormProps {
  readonly verb: string;
  readonly done: string;
  readonly isReady: boolean;
  readonly run: () => Promise<unknown>;
  /** Handles a refusal. Returns true if the form need not show it. */
  readonly refused?: (error: SignalboxError) => boolean;
  readonly children: preact.ComponentChildren;
}

function Form({ verb, done, isReady, run, refused, children }: FormProps) {
  const [error, setError] = useState<string>();
  const [isDone, setDone] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError(undefined);
    await run().then(
      () => setDone(true),
      (reason: unknown) => {
        const error = asError(reason);
        if (!refused?.(error)) setError(error.code === "network" ? t("network") : error.description);
      },
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

/** If this page still holds a session, reloads the document, so that the session's state goes with it. */
const leave = () => (viewer.peek() ? location.assign(href("/")) : go("/"));

const Back = () => (
  <Button kind="bare" onClick={leave}>
    {t("toLogin")}
  </Button>
);

interface AskProps {
  /** True if the link had no key, or a key that is no longer valid. */
  readonly isBroken: boolean;
  readonly named: string;
}

function Ask({ isBroken, named }: AskProps) {
  const [username, setUsername] = useState(named);
  const [email, setEmail] = useState("");
  const run = () => api.userForgotPassword({ username, email });
  return (
    <Form verb={t("sendMail")} done={t("mailSent")} isReady={Boolean(username && email)} run={run}>
      {isBroken && (
        <p class="late" role="alert">
          {t("linkBroken")}
        </p>
      )}
      <p class="dim sm">{t("forgotHelp")}</p>
      <Field label={t("user")}>
        {(id) => <TextInput id={id} value={username} onInput={setUsername} autocomplete="username" />}
      </Field>
      <Field label={t("email")}>
        {(id) => <TextInput id={id} type="email" value={email} onInput={setEmail} autocomplete="email" />}
      </Field>
    </Form>
  );
}

interface ChooseProps {
  readonly username: string;
  readonly code: string;
  /** Called if the server does not know the key, or no longer accepts it. */
  readonly onBroken: () => void;
}

function Choose({ username, code, onBroken }: ChooseProps) {
  const [password, setPassword] = useState("");
  const run = () => api.userResetPassword({ username, key: code, new_password: password });
  const refused = (error: SignalboxError): boolean => {
    const isKey = error.code === "login";
    if (isKey) onBroken();
    return isKey;
  };
  return (
    <Form verb={t("setPassword")} done={t("passwordSet")} isReady={password !== ""} run={run} refused={refused}>
      <Field label={t("newPassword")} help={t("newPasswordOf", { name: username })}>
        {(id, describedBy) => (
          <TextInput
            id={id}
            describedBy={describedBy}
            type="password"
            autocomplete="new-password"
            value={password}
            onInput={setPassword}
          />
        )}
      </Field>
    </Form>
  );
}
