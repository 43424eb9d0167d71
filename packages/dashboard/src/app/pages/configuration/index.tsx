import { useState } from "preact/hooks";
import { act } from "../../data/act.ts";
import { useLive } from "../../data/live.ts";
import { type Loaded, useLoad } from "../../data/load.ts";
import { api, can } from "../../data/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic.tsx";
import { Action, Button } from "../../parts/button.tsx";
import { Field, Segments, Select, TextArea, TextInput } from "../../parts/fields.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { place, setQuery } from "../../router/router.ts";
import { t as common } from "../../texts/common.ts";
import { t as frame } from "../../texts/frame.ts";
import { readAs, type Setting, settingsOf, written } from "./rows.ts";
import { t } from "./texts.ts";

type Answer = Awaited<ReturnType<typeof api.adminGetConfig>>;

/** Every setting: what it means, what it is, and what it would be by itself. */
export function Page() {
  useCrumbs([{ title: t("title") }]);
  const found = useLoad("configuration", () => api.adminGetConfig({}));
  useLive("activity", ({ action }: { readonly action: string }) => {
    if (action === "config_update") void found.reload();
  });
  return (
    <WhenLoaded of={found} rows={12}>
      {(answer) => <Shown answer={answer} reload={found.reload} />}
    </WhenLoaded>
  );
}

interface ShownProps {
  readonly answer: Answer;
  readonly reload: Loaded<Answer>["reload"];
}

function Shown({ answer: { config, overrides, warnings = [] }, reload }: ShownProps) {
  const { q = "", show = "all" } = place.value.query;
  const all = settingsOf(config, overrides);
  const set = all.filter(({ isSet }) => isSet);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = (show === "set" ? set : all).filter(({ path, meaning }) =>
    words.every((word) => `${path} ${meaning}`.toLowerCase().includes(word)),
  );
  return (
    <>
      <Head title={t("title")} note={t("summary", { n: all.length, set: set.length })} />
      <div class="stack">
        {warnings.length > 0 && <Warnings warnings={warnings} />}
        <Panel title={t("settings")} count={rows.length} more={<Choice show={show} />}>
          <div class="filters" role="search" aria-label={t("find")}>
            <Icon name="search" />
            <input
              class="query"
              type="search"
              data-filter
              aria-label={t("find")}
              placeholder={t("placeholder")}
              value={q}
              onInput={(event) => setQuery({ q: event.currentTarget.value })}
            />
          </div>
          {rows.length === 0 ? (
            <Empty
              action={
                <Button onClick={() => setQuery({ q: undefined, show: undefined })}>{frame("clearFilters")}</Button>
              }
            >
              {frame("nothingFits")}
            </Empty>
          ) : (
            <ul class="settings">
              {rows.map((setting) => (
                <Row key={setting.path} setting={setting} reload={reload} />
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </>
  );
}

const Choice = ({ show }: { readonly show: string }) => (
  <Segments
    label={t("show")}
    choices={[
      { value: "all", title: common("all") },
      { value: "set", title: t("onlySet") },
    ]}
    value={show}
    onInput={(next) => setQuery({ show: next === "all" ? undefined : next })}
  />
);

const Warnings = ({ warnings }: { readonly warnings: readonly string[] }) => (
  <Panel title={t("warnings")} count={warnings.length}>
    <ul class="linked">
      {warnings.map((warning) => (
        <li key={warning}>
          <span class="mark t-warn">
            <Icon name="warn" />
          </span>
          {warning}
        </li>
      ))}
    </ul>
  </Panel>
);

interface RowProps {
  readonly setting: Setting;
  readonly reload: ShownProps["reload"];
}

function Row({ setting, reload }: RowProps) {
  const [isEdited, setEdited] = useState(false);
  const { path, meaning, fallback, value, isSet } = setting;
  return (
    <li>
      <div>
        <b class="mono">{path}</b> {isSet && <span class="chip still">{t("isSet")}</span>}
        <p class="sm dim">{meaning}</p>
      </div>
      {isEdited ? (
        <Edit setting={setting} onEnd={() => setEdited(false)} reload={reload} />
      ) : (
        <div class="now">
          <code class="mono" tabIndex={0}>
            {written(value) || <i class="dimmer">{common("none")}</i>}
          </code>
          {fallback && written(value) !== fallback && (
            <span class="xs dimmer">{t("default", { value: fallback })}</span>
          )}
        </div>
      )}
      {can("admin") && !isEdited && (
        <Button kind="bare" icon="edit" label={common("editNamed", { name: path })} onClick={() => setEdited(true)} />
      )}
    </li>
  );
}

function Edit({ setting: { path, value }, onEnd, reload }: RowProps & { readonly onEnd: () => void }) {
  const [text, setText] = useState(written(value));
  const [fault, setFault] = useState<string>();
  const update = (next: unknown) => api.adminUpdateConfig({ [path]: next });
  const save = async (): Promise<void> => {
    let next: unknown;
    try {
      next = readAs(text, value);
    } catch (error) {
      setFault(t("noJson", { fault: (error as Error).message }));
      return;
    }
    const done = t("saved", { path });
    const answer = await act(`set ${path}`, { run: () => update(next), done, undo: () => update(value).then(reload) });
    if (!answer) return;
    await reload();
    onEnd();
  };
  return (
    <form
      class="now"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t("value")} error={fault}>
        {(id, describedBy) => <Control {...{ id, describedBy, value: text, onInput: setText }} now={value} />}
      </Field>
      <div class="acts">
        <Action needs="admin" deed={`set ${path}`} kind="primary" type="submit" run={() => undefined}>
          {common("save")}
        </Action>
        <Button onClick={onEnd}>{frame("cancel")}</Button>
      </div>
    </form>
  );
}

interface ControlProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly now: unknown;
}

function Control({ now, ...control }: ControlProps) {
  if (typeof now === "boolean")
    return (
      <Select
        {...control}
        choices={["true", "false"].map((value) => ({ value, title: common(value === "true" ? "on" : "off") }))}
      />
    );
  if (typeof now === "number") return <TextInput {...control} type="number" />;
  if (typeof now === "string" && !now.includes("\n")) return <TextInput {...control} isMono />;
  return <TextArea {...control} rows={5} isMono />;
}
