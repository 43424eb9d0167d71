import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { unitOf } from "../../data/series/timeline.ts";
import { Mark } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Field, Select } from "../../parts/forms/fields.tsx";
import { unitText } from "../../parts/plot/unit.ts";
import type { Draft } from "./form.tsx";
import { t } from "./texts.ts";

interface Answer {
  readonly fail: boolean;
  readonly text: string;
}

/** Shows what the expression reads in the last minute of a server. */
export function Trial({ draft: { source, type, match, suffix, kind } }: { readonly draft: Draft }) {
  const servers = (listed("servers") ?? []).map(({ id }) => ({ value: id, title: titleOf("servers", id) }));
  const [chosen, setChosen] = useState("");
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const server = chosen || (servers[0]?.value ?? "");
  const run = async (): Promise<void> => {
    const input = { server, source, data_type: type, ...(match ? { data_match: match } : {}) };
    const found = await act("try monitor", { run: () => api.testMonitor(input) });
    const name = titleOf("servers", server);
    // The trial returns the raw counter, so the unit of a rate does not apply.
    const value = unitText(found?.value ?? 0, unitOf({ data_type: type, suffix: kind === "value" ? suffix : "" }));
    setAnswer(
      found && {
        fail: found.fail,
        text: found.fail ? t("failed", { server: name }) : t("reads", { server: name, value }),
      },
    );
  };
  return (
    <div>
      <div class="trial bare">
        <Field label={t("server")} help={t("tryWhy")}>
          {(id, describedBy) => (
            <Select id={id} describedBy={describedBy} choices={servers} value={server} onInput={setChosen} />
          )}
        </Field>
        <Action needs="edit_monitors" deed="try monitor" isDisabled={!server || !source.trim()} run={run}>
          {t("tryIt")}
        </Action>
      </div>
      <div role="status">
        {answer && (
          <p class="verdict sm" dir="auto">
            <Mark state={answer.fail ? "fail" : "ok"} /> {answer.text}
          </p>
        )}
      </div>
    </div>
  );
}
