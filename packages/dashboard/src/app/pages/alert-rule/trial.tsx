import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Field, Select } from "../../parts/forms/fields.tsx";
import { t } from "../alert-rules/texts.ts";
import type { Draft } from "./draft.ts";

type Answer = Awaited<ReturnType<typeof api.testAlert>> & { readonly server: string };

const LISTS = { server: "servers", event: "events", heartbeat: "heartbeats", check: "checks" } as const;

/** Value of the expression now on one server, or another subject of the rule. */
export function Trial({ draft: { expression, message, subject } }: { readonly draft: Draft }) {
  const type = subject === "presence" ? "server" : subject;
  const places = type === "event" ? listed("events")?.filter(({ expect }) => expect) : listed(LISTS[type]);
  const nameOf = (id: string): string => titleOf(LISTS[type], id);
  const servers = (places ?? []).map(({ id }) => ({ value: id, title: nameOf(id) }));
  const [chosen, setChosen] = useState("");
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const server = servers.find(({ value }) => value === chosen)?.value ?? servers[0]?.value ?? "";
  const run = async (): Promise<void> => {
    const found = await act("try rule", {
      run: () => api.testAlert({ [type]: server, expression, message }),
    });
    setAnswer(found && { ...found, server: nameOf(server) });
  };
  return (
    <Panel title={t("tryTitle")}>
      <div class="trial">
        <Field label={t("on")} help={t("tryWhy")}>
          {(id, describedBy) => (
            <Select {...{ id, describedBy }} choices={servers} value={server} onInput={setChosen} />
          )}
        </Field>
        <Action
          needs="edit_alerts"
          deed="try rule"
          isDisabled={!server || !expression.trim() || !message.trim()}
          run={run}
        >
          {t("tryIt")}
        </Action>
      </div>
      <div role="status">{answer && <Verdict answer={answer} />}</div>
    </Panel>
  );
}

function Verdict({ answer: { result, message, error, server } }: { readonly answer: Answer }) {
  const text = error ? t("failed", { server, error }) : t(result ? "holds" : "holdsNot", { server, message });
  return (
    <p class="say verdict" dir="auto">
      <Mark state={error ? "fail" : result ? "crit" : "ok"} /> {text}
    </p>
  );
}
