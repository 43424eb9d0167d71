import type { ComponentChildren } from "preact";
import { personName } from "../../data/people/person-name.ts";
import { listedOne, titleOf } from "../../data/records/lists.ts";
import { Pairs, Panel } from "../../parts/basic/basic.tsx";
import { Empty } from "../../parts/basic/states.tsx";
import { actionWords } from "../../parts/editors/actions-editor.tsx";
import { limitWords } from "../../parts/editors/limits-editor.tsx";
import type { Entry } from "../../parts/entries/members.ts";
import { triggerWords } from "../../parts/schedule/words.ts";
import { exact, list } from "../../texts/format.ts";
import { algorithmTitle } from "../event-editor/algorithms.ts";
import type { Event } from "../events/deeds.ts";
import { t } from "./texts.ts";

export const Settings = ({ event }: { readonly event: Event }) => (
  <div class="grid">
    <div class="c6 stack">
      <Panel title={t("parameters")}>
        <Parameters event={event} />
      </Panel>
      <Panel title={t("triggers")}>
        <Lines
          of={(event.triggers ?? []).map((trigger) => ({
            text: triggerWords(trigger, (id) => titleOf("plugins", id)),
            isOn: Boolean(trigger.enabled),
          }))}
        />
      </Panel>
    </div>
    <div class="c6 stack">
      <Panel title={t("limitsAndActions")}>
        <Lines
          of={[
            ...(event.limits ?? []).map((limit) => ({
              text: limitWords(limit as Entry),
              isOn: Boolean(limit.enabled),
            })),
            ...(event.actions ?? []).map((action) => ({
              text: actionWords(action as Entry),
              isOn: Boolean(action.enabled),
            })),
          ]}
        />
      </Panel>
      <Panel title={t("record")}>
        <Pairs facts={recordFacts(event)} />
      </Panel>
    </div>
  </div>
);

function Parameters({ event }: { readonly event: Event }) {
  const definitions = [...(listedOne("plugins", event.plugin)?.params ?? []), ...(event.fields ?? [])];
  const values = Object.entries(event.params ?? {});
  if (values.length === 0) return <Empty>{t("noParameters")}</Empty>;
  const nameOf = (id: string): string => definitions.find((one) => one.id === id)?.title || id;
  return <Pairs facts={values.map(([id, value]) => ({ name: nameOf(id), value: <Value of={value} /> }))} />;
}

const Value = ({ of }: { readonly of: unknown }): ComponentChildren => (
  <span class="pre mono">{typeof of === "string" ? of : JSON.stringify(of)}</span>
);

interface Told {
  readonly text: string;
  readonly isOn: boolean;
}

const Lines = ({ of }: { readonly of: readonly Told[] }) =>
  of.length === 0 ? (
    <Empty>{t("nothing")}</Empty>
  ) : (
    <ul class="sentences">
      {of.map(({ text, isOn }, at) => (
        <li key={at} class={isOn ? "" : "dimmer"} dir="auto">
          {isOn ? text : t("isOffNow", { text })}
        </li>
      ))}
    </ul>
  );

const recordFacts = (event: Event) => [
  { name: t("id"), value: <code class="mono">{event.id}</code> },
  event.algo ? { name: t("algo"), value: algorithmTitle(event.algo) } : undefined,
  event.expression ? { name: t("expression"), value: <code class="mono">{event.expression}</code> } : undefined,
  event.tags?.length ? { name: t("tags"), value: list(event.tags.map((tag) => titleOf("tags", tag))) } : undefined,
  event.notes ? { name: t("notes"), value: <span class="pre">{event.notes}</span> } : undefined,
  { name: t("madeBy"), value: t("madeAt", { name: personName(event.username ?? ""), time: exact(event.created) }) },
  { name: t("modified"), value: t("modifiedAt", { n: event.revision, time: exact(event.modified) }) },
];
