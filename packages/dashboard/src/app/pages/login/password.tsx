import { useState } from "preact/hooks";
import { asError } from "../../data/calls/load.ts";
import { signIn } from "../../data/calls/session.ts";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { t } from "./texts.ts";

/** State of a sign-in form with a password. Calls `begun` once the session has begun. */
export function usePassword(username: string, begun?: () => void) {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [isWaiting, setWaiting] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWaiting(true);
    setError(undefined);
    try {
      await signIn(username, password);
      begun?.();
    } catch (reason) {
      const { code, description } = asError(reason);
      setError(code === "network" || code === "cookie" ? t(code) : description);
      setPassword("");
    }
    setWaiting(false);
  };
  return { password, setPassword, error, isWaiting, submit };
}

type Props = Pick<ReturnType<typeof usePassword>, "password" | "setPassword" | "error">;

export const PasswordField = ({ password, setPassword, error }: Props) => (
  <Field label={t("password")} error={error}>
    {(id, describedBy) => (
      <TextInput
        id={id}
        describedBy={describedBy}
        type="password"
        name="password"
        value={password}
        isRequired
        onInput={setPassword}
        autocomplete="current-password"
      />
    )}
  </Field>
);
