import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, boot, store, viewer } from "../../data/calls/session.ts";
import { hasSingleKeys, setSingleKeys } from "../../data/keys.ts";
import { setTheme, type Theme, theme } from "../../frame/theme.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Check, Field, Segments, Select } from "../../parts/forms/fields.tsx";
import { LANGUAGES, type Language, language, speak } from "../../texts/catalogue.ts";
import { timeZone } from "../../texts/format.ts";
import { t as common } from "../../texts/words/common.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { t } from "./texts.ts";

/** Preferences, stored in this browser and, if the viewer has one, in the account. */
export const Preferences = () => (
  <Panel title={t("preferences")}>
    <div class="inner form">
      <Zone />
      <Look />
      <Speech />
      <Check value={hasSingleKeys.value} onInput={setSingleKeys}>
        {t("singleKeys")}
      </Check>
    </div>
  </Panel>
);

function choose(name: "language" | "timezone", value: string) {
  store(name, value);
  const hasAccount = viewer.peek()?.kind === "user" && boot.peek()?.signIn === "own" && !boot.peek()?.readOnly;
  return hasAccount
    ? act(`prefer ${name}`, { run: () => api.userSettings({ [name]: value }), done: common("saved") })
    : undefined;
}

function Zone() {
  const [zone, setZone] = useState(timeZone.value);
  const choices = [...new Set([zone, ...Intl.supportedValuesOf("timeZone")])].map((value) => ({ value, title: value }));
  return (
    <Field label={t("zone")} help={boot.value?.timeZone ? t("zoneOfHost") : t("zoneHelp")}>
      {(id) => (
        <Select
          isActing
          id={id}
          value={zone}
          choices={choices}
          isDisabled={boot.value?.timeZone !== undefined}
          onInput={(value) => {
            setZone(value);
            timeZone.value = value;
            void choose("timezone", value);
          }}
        />
      )}
    </Field>
  );
}

const Look = () => (
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
);

const Speech = () => (
  <Field label={frame("language")}>
    {(id) => (
      <Select
        isActing
        id={id}
        value={language.value}
        choices={Object.entries(LANGUAGES).map(([value, title]) => ({ value, title }))}
        onInput={async (value) => {
          await speak(value as Language);
          await choose("language", value);
        }}
      />
    )}
  </Field>
);
