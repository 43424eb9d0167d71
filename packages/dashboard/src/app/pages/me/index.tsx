import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, boot, can, viewer } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Field, TextInput } from "../../parts/forms/fields.tsx";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { Time } from "../../parts/time.tsx";
import { t as common } from "../../texts/words/common.ts";
import { deedWords } from "../../texts/words/deeds.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { May } from "../people/may.tsx";
import { Preferences } from "./preferences.tsx";
import { t } from "./texts.ts";

/** The viewer's own page: preferences, sessions and password. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const own = viewer.value;
  if (!own) return null;
  // A viewer signed in by the host has no account here: the host manages name and password.
  const hasAccount = own.kind === "user" && boot.value?.signIn === "own";
  return (
    <>
      <Head title={own.title || own.id} note={hasAccount ? own.id : t("ofHost")} />
      <div class="beside">
        <div class="stack">
          <Preferences />
          {hasAccount && can("") && <Profile />}
          {hasAccount && <Logins />}
        </div>
        <div class="stack">
          {hasAccount && can("") && <LogOut />}
          <May values={{ ...own, enabled: true }} />
        </div>
      </div>
    </>
  );
}

const textOf = (member: string): string => String(boot.peek()?.account?.[member] ?? "");

/** The form's entries about the account, and the call that saves them. */
function useProfile() {
  const [begun, setBegun] = useState(() => ({ full_name: textOf("full_name"), email: textOf("email") }));
  const [name, setName] = useState(begun.full_name);
  const [email, setEmail] = useState(begun.email);
  const [next, setNext] = useState("");
  const [old, setOld] = useState("");
  const [fault, setFault] = useState<string>();
  useUnsaved(name !== begun.full_name || email !== begun.email || next !== "");
  const save = async (): Promise<void> => {
    setFault(undefined);
    const username = viewer.peek()?.id ?? "";
    // Sends only the members that were changed here, because other members may have been changed elsewhere.
    const changed = {
      ...(name === begun.full_name ? {} : { full_name: name }),
      ...(email === begun.email ? {} : { email }),
      ...(next ? { new_password: next } : {}),
    };
    const input = { username, old_password: old, ...changed };
    const done = t(next ? "passwordChanged" : "profileSaved");
    if (!(await act("profile", { run: () => api.userUpdate(input), done, refused: setFault }))) return;
    setBegun({ full_name: name, email });
    // Text that was typed while the call was under way stays.
    setOld((shown) => (shown === old ? "" : shown));
    setNext((shown) => (shown === next ? "" : shown));
  };
  return { name, setName, email, setEmail, next, setNext, old, setOld, fault, save };
}

/** Name, address and password. Any change requires the current password. */
function Profile() {
  const { name, setName, email, setEmail, next, setNext, old, setOld, fault, save } = useProfile();
  return (
    <Panel title={t("account")}>
      <form
        class="inner form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={t("name")}>{(id) => <TextInput id={id} value={name} onInput={setName} isRequired />}</Field>
        <Field label={t("email")}>
          {(id) => <TextInput id={id} type="email" value={email} onInput={setEmail} isRequired />}
        </Field>
        <Passwords next={next} old={old} onNext={setNext} onOld={setOld} />
        {fault && (
          <p class="wrong" role="alert">
            {fault}
          </p>
        )}
        <div class="acts">
          <Action needs="" deed="profile" kind="primary" type="submit" isDisabled={!old} run={() => undefined}>
            {common("save")}
          </Action>
        </div>
      </form>
    </Panel>
  );
}

const MOST = 20;

/** Recent uses of the account, so that the viewer notices a stranger. */
function Logins() {
  const found = useLoad("own activity", (signal) => api.getUserActivity({ limit: MOST }, { signal }));
  return (
    <Panel title={t("logins")} note={t("loginsHelp")}>
      <WhenLoaded of={found} rows={4}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>{t("noLogins")}</Empty>
          ) : (
            <ul class="linked">
              {rows.map((row) => (
                <li key={row.id}>
                  <span class="grow">
                    {deedWords({ action: row.action })}
                    <span class="dim xs sub" dir="auto">
                      {[row["ip"], row["useragent"], row["description"]].filter(Boolean).join(" · ")}
                    </span>
                  </span>
                  <Time at={row.epoch} />
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

function LogOut() {
  const [password, setPassword] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [fault, setFault] = useState<string>();
  const run = async (): Promise<void> => {
    setFault(undefined);
    const deed = { run: () => api.logoutAll({ password }), done: t("loggedOut"), refused: setFault };
    if (!(await act("log out all", deed))) return;
    setPassword("");
    setAsked(false);
  };
  return (
    <Panel title={t("sessions")}>
      <div class="inner stack">
        <p class="sm dim">{t("sessionsHelp")}</p>
        {isAsked ? (
          <Sure password={password} fault={fault} onRun={run} onInput={setPassword} onClose={() => setAsked(false)} />
        ) : (
          <div>
            <Action needs="" deed="log out all" icon="out" run={() => setAsked(true)}>
              {t("logOut")}
            </Action>
          </div>
        )}
      </div>
    </Panel>
  );
}

interface PasswordsProps {
  readonly next: string;
  readonly old: string;
  readonly onNext: (text: string) => void;
  readonly onOld: (text: string) => void;
}

/** An optional new password, and the current one, which any change requires. */
function Passwords({ next, old, onNext, onOld }: PasswordsProps) {
  const password = { type: "password" as const };
  return (
    <>
      <Field label={t("newPassword")} help={t("newPasswordHelp")}>
        {(id) => <TextInput {...{ ...password, id, value: next, onInput: onNext, autocomplete: "new-password" }} />}
      </Field>
      <Field label={t("oldPassword")} help={t("oldPasswordHelp")}>
        {(id) => (
          <TextInput
            {...{ ...password, id, value: old, onInput: onOld, autocomplete: "current-password" }}
            isRequired
          />
        )}
      </Field>
    </>
  );
}

interface SureProps {
  readonly password: string;
  readonly fault: string | undefined;
  readonly onInput: (text: string) => void;
  readonly onRun: () => unknown;
  readonly onClose: () => void;
}

/** The dialog that asks for the password before all sessions end. */
const Sure = ({ password, fault, onInput, onRun, onClose }: SureProps) => (
  <form
    class="stack"
    onSubmit={(event) => {
      event.preventDefault();
      void onRun();
    }}
  >
    <Field label={t("oldPassword")} error={fault}>
      {(id, describedBy) => (
        <TextInput
          id={id}
          describedBy={describedBy}
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={onInput}
        />
      )}
    </Field>
    <div class="acts">
      <Action needs="" deed="log out all" type="submit" isDisabled={!password} run={() => undefined}>
        {t("logOut")}
      </Action>
      <Button onClick={onClose}>{frame("cancel")}</Button>
    </div>
  </form>
);
