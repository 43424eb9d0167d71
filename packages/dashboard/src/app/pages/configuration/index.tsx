import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Segments } from "../../parts/forms/fields.tsx";
import { FindField } from "../../parts/query/find-field.tsx";
import { place, setQuery } from "../../router/router.ts";
import { t as common } from "../../texts/words/common.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { GROUPS, groupOf, type SettingGroup } from "./groups.ts";
import { Row } from "./row.tsx";
import { type Setting, settingsOf } from "./rows.ts";
import { t } from "./texts.ts";

type Answer = Awaited<ReturnType<typeof api.adminGetConfig>>;

/** Every setting: its meaning, its value and its default. */
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

interface Section {
  readonly group: SettingGroup | "others";
  readonly rows: readonly Setting[];
}

/** Groups settings by subject; settings that the engine does not know come last. */
function sectionsOf(rows: readonly Setting[]): readonly Section[] {
  const byGroup = Map.groupBy(rows, ({ path }) => groupOf(path) ?? ("others" as const));
  return [...GROUPS, "others" as const].flatMap((group) => {
    const own = byGroup.get(group);
    return own ? [{ group, rows: own }] : [];
  });
}

const placeOf = (group: string): string => `settings-${group}`;

function Shown({ answer: { config, overrides, warnings = [] }, reload }: ShownProps) {
  const { q = "", show = "all" } = place.value.query;
  const all = settingsOf(config, overrides);
  const set = all.filter(({ isSet }) => isSet);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = (show === "set" ? set : all).filter(({ path, meaning }) =>
    words.every((word) => `${path} ${meaning}`.toLowerCase().includes(word)),
  );
  const sections = sectionsOf(rows);
  return (
    <>
      <Head title={t("title")} note={t("summary", { n: all.length, set: set.length })} />
      <div class="stack">
        {warnings.length > 0 && <Warnings warnings={warnings} />}
        <Search q={q} show={show} />
        {rows.length === 0 && <Nothing />}
        <div class="by-group">
          <div class="stack">
            {sections.map(({ group, rows: own }) => (
              <div key={group} id={placeOf(group)}>
                <Panel title={t(`group.${group}`)} count={own.length}>
                  <ul class="items settings">
                    {own.map((setting) => (
                      <Row key={setting.path} setting={setting} reload={reload} />
                    ))}
                  </ul>
                </Panel>
              </div>
            ))}
          </div>
          {sections.length > 1 && <Contents sections={sections} />}
        </div>
      </div>
    </>
  );
}

const Contents = ({ sections }: { readonly sections: readonly Section[] }) => (
  <nav class="contents" aria-label={t("contents")}>
    <ul>
      {sections.map(({ group, rows }) => (
        <li key={group}>
          <a href={`#${placeOf(group)}`}>
            {t(`group.${group}`)} <span class="dimmer num">{rows.length}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Search = ({ q, show }: { readonly q: string; readonly show: string }) => (
  <div class="panel filters" role="search" aria-label={t("find")}>
    <FindField label={t("find")} placeholder={t("placeholder")} value={q} />
    <Segments
      label={t("show")}
      choices={[
        { value: "all", title: common("all") },
        { value: "set", title: t("onlySet") },
      ]}
      value={show}
      onInput={(next) => setQuery({ show: next === "all" ? undefined : next })}
    />
  </div>
);

const Nothing = () => (
  <section class="panel" aria-label={t("settings")}>
    <Empty
      action={<Button onClick={() => setQuery({ q: undefined, show: undefined })}>{frame("clearFilters")}</Button>}
    >
      {frame("nothingFits")}
    </Empty>
  </section>
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
