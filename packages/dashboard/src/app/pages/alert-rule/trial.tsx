import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { asError } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Field, Select } from "../../parts/forms/fields.tsx";
import { list } from "../../texts/format.ts";
import { t } from "../alert-rules/texts.ts";
import type { Draft } from "./draft.ts";

interface Tried {
  readonly server: string;
  /** Absent if the server has no data to evaluate the rule on yet. */
  readonly answer?: Awaited<ReturnType<typeof api.testAlert>>;
}

const LISTS = { server: "servers", event: "events", heartbeat: "heartbeats", check: "checks" } as const;

/** Bound on how many subjects without data are tried before giving up. */
const MOST_SILENT = 5;

/** Evaluates the rule on the first subject that has data. A 404 means that a subject has none. */
async function tryOn(
  places: readonly string[],
  ask: (place: string) => ReturnType<typeof api.testAlert>,
): Promise<Tried> {
  for (const server of places.slice(0, MOST_SILENT)) {
    try {
      return { server, answer: await ask(server) };
    } catch (reason) {
      if (asError(reason).status !== 404) throw reason;
    }
  }
  return { server: places[0] ?? "" };
}

/** Current value of the expression on one server, or on another subject of the rule. */
export function Trial({ draft: { expression, message, subject } }: { readonly draft: Draft }) {
  const type = subject === "presence" ? "server" : subject;
  const places = type === "event" ? listed("events")?.filter(({ expect }) => expect) : listed(LISTS[type]);
  const nameOf = (id: string): string => titleOf(LISTS[type], id);
  const servers = (places ?? []).map(({ id }) => ({ value: id, title: nameOf(id) }));
  const [chosen, setChosen] = useState("");
  const [tried, setTried] = useState<Tried | undefined>(undefined);
  const own = servers.find(({ value }) => value === chosen)?.value;
  const server = own ?? servers[0]?.value ?? "";
  const run = async (): Promise<void> => {
    const asked = own === undefined ? servers.map(({ value }) => value) : [own];
    const found = await act("try rule", {
      run: () => tryOn(asked, (place) => api.testAlert({ [type]: place, expression, message })),
    });
    setTried(found);
    // Another subject may have been chosen meanwhile.
    if (found) setChosen((now) => (now === chosen ? found.server : now));
  };
  return (
    <Panel title={t("tryTitle")}>
      <div class="trial">
        <Field label={t("on")} help={t("tryWhy")}>
          {(id, describedBy) => (
            <Select id={id} describedBy={describedBy} choices={servers} value={server} onInput={setChosen} />
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
      <div role="status">{tried && <Verdict tried={tried} server={nameOf(tried.server)} />}</div>
    </Panel>
  );
}

function Verdict({ tried: { answer }, server }: { readonly tried: Tried; readonly server: string }) {
  if (!answer)
    return (
      <p class="say verdict" dir="auto">
        <Mark state="warn" /> {t("notKnown", { server })}
      </p>
    );
  const { result, message, error, missing = [] } = answer;
  const text = error ? t("failed", { server, error }) : t(result ? "holds" : "holdsNot", { server, message });
  // A misspelt name is not an error: the rule would simply never fire, so it is shown as a warning.
  const state = error ? "fail" : result ? "crit" : missing.length > 0 ? "warn" : "ok";
  return (
    <p class="say verdict" dir="auto">
      <Mark state={state} /> {text} {missing.length > 0 && t("missing", { server, paths: list(missing) })}
    </p>
  );
}
