import { useState } from "preact/hooks";
import { act } from "../../data/act.ts";
import { useLoad } from "../../data/load.ts";
import { api, boot, store, viewer } from "../../data/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { setTheme, type Theme, theme } from "../../frame/theme.ts";
import { Head, Panel } from "../../parts/basic.tsx";
import { Action, Button } from "../../parts/button.tsx";
import { Field, Segments, Select, TextInput } from "../../parts/fields.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { LANGUAGES, type Language, language, speak } from "../../texts/catalogue.ts";
import { t as common } from "../../texts/common.ts";
import { deedWords } from "../../texts/deeds.ts";
import { timeZone } from "../../texts/format.ts";
import { t as frame } from "../../texts/frame.ts";
import { May } from "../people/may.tsx";
import { t } from "./texts.ts";

/** The one who looks: how these pages look to them, where they are signed in, and their password. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const own = viewer.value;
  if (!own) return null;
  // Who is signed in by the host has no account here: their name and password are the host's.
  const hasAccount = own.kind === "user" && boot.value?.signIn === "own";
  return (
    <>
      <Head title={own.title || own.id} note={hasAccount ? own.id : t("ofHost")} />
      <div class="beside">
        <div class="stack">
          <Preferences />
          {hasAccount && <Profile />}
          {hasAccount && <Logins />}
        </div>
        <div class="stack">
          {hasAccount && <LogOut />}
          <May values={{ ...own, enabled: true }} />
        </div>
      </div>
    </>
  );
}

/** Kept by this browser, and by the account where there is one. */
function Preferences() {
  const [zone, setZone] = useState(timeZone.value);
  const zones = Intl.supportedValuesOf("timeZone");
  const choose = (name: "language" | "timezone", value: string) => {
    store(name, value);
    const hasAccount = viewer.peek()?.kind === "user" && boot.peek()?.signIn === "own" && !boot.peek()?.readOnly;
    return hasAccount
      ? act(`prefer ${name}`, { run: () => api.userSettings({ [name]: value }), done: common("saved") })
      : undefined;
  };
  return (
    <Panel title={t("preferences")}>
      <div class="inner form">
        <Field label={t("zone")} help={boot.value?.timeZone ? t("zoneOfHost") : t("zoneHelp")}>
          {(id) => (
            <Select
              {...{
                id,
                value: zone,
                choices: [...new Set([zone, ...zones])].map((value) => ({ value, title: value })),
              }}
              isDisabled={boot.value?.timeZone !== undefined}
              onInput={(value) => {
                setZone(value);
                timeZone.value = value;
                void choose("timezone", value);
              }}
            />
          )}
        </Field>
        <div class="field">
          <span class="sm">{frame("theme")}</span>
          <Segments
            label={frame("theme")}
            choices={[
              { value: "system", title: frame("themeSystem") },
              { value: "light", title: frame("themeLight") },
              { value: "dark", title: frame("themeDark") },
            ]}
            value={theme.value}
            onInput={(value) => setTheme(value as Theme)}
          />
        </div>
        <Field label={frame("language")}>
          {(id) => (
            <Select
              {...{
                id,
                value: language.value,
                choices: Object.entries(LANGUAGES).map(([value, title]) => ({ value, title })),
              }}
              onInput={async (value) => {
                await speak(value as Language);
                await choose("language", value);
              }}
            />
          )}
        </Field>
      </div>
    </Panel>
  );
}

const textOf = (member: string): string => String(boot.peek()?.account?.[member] ?? "");

/** Name, address and password; the old password proves that it is them. */
function Profile() {
  const [name, setName] = useState(() => textOf("full_name"));
  const [email, setEmail] = useState(() => textOf("email"));
  const [next, setNext] = useState("");
  const [old, setOld] = useState("");
  const save = async (): Promise<void> => {
    const username = viewer.peek()?.id ?? "";
    const input = { username, full_name: name, email, old_password: old, ...(next ? { new_password: next } : {}) };
    if (
      !(await act("profile", { run: () => api.userUpdate(input), done: t(next ? "passwordChanged" : "profileSaved") }))
    )
      return;
    setOld("");
    setNext("");
  };
  const password = { type: "password" as const };
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
        <Field label={t("newPassword")} help={t("newPasswordHelp")}>
          {(id) => <TextInput {...{ ...password, id, value: next, onInput: setNext, autocomplete: "new-password" }} />}
        </Field>
        <Field label={t("oldPassword")} help={t("oldPasswordHelp")}>
          {(id) => (
            <TextInput
              {...{ ...password, id, value: old, onInput: setOld, autocomplete: "current-password" }}
              isRequired
            />
          )}
        </Field>
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

/** What was done with the account, so that a stranger is noticed. */
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
  const run = async (): Promise<void> => {
    const done = t("loggedOut");
    if (!(await act("log out all", { run: () => api.logoutAll({ password }), done }))) return;
    setPassword("");
    setAsked(false);
  };
  return (
    <Panel title={t("sessions")}>
      <div class="inner stack">
        <p class="sm dim">{t("sessionsHelp")}</p>
        {isAsked ? (
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              void run();
            }}
          >
            <Field label={t("oldPassword")}>
              {(id) => (
                <TextInput
                  {...{ id, type: "password", autocomplete: "current-password", value: password, onInput: setPassword }}
                />
              )}
            </Field>
            <div class="acts">
              <Action needs="" deed="log out all" type="submit" isDisabled={!password} run={() => undefined}>
                {t("logOut")}
              </Action>
              <Button onClick={() => setAsked(false)}>{frame("cancel")}</Button>
            </div>
          </form>
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
