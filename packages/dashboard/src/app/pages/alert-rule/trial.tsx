import { useState } from "preact/hooks";
import { act } from "../../data/act.ts";
import { listed, titleOf } from "../../data/lists.ts";
import { api } from "../../data/session.ts";
import { Mark, Panel } from "../../parts/basic.tsx";
import { Action } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/fields.tsx";
import { t } from "../alert-rules/texts.ts";
import type { Draft } from "./draft.ts";

type Answer = Awaited<ReturnType<typeof api.testAlert>> & { readonly server: string };

/** What the expression says of one server now. */
export function Trial({ draft: { expression, message } }: { readonly draft: Draft }) {
  const servers = (listed("servers") ?? []).map(({ id }) => ({ value: id, title: titleOf("servers", id) }));
  const [chosen, setChosen] = useState("");
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const server = chosen || (servers[0]?.value ?? "");
  const run = async (): Promise<void> => {
    const found = await act("try rule", { run: () => api.testAlert({ server, expression, message }) });
    setAnswer(found && { ...found, server: titleOf("servers", server) });
  };
  return (
    <Panel title={t("tryTitle")}>
      <div class="trial">
        <Field label={t("server")} help={t("tryWhy")}>
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
