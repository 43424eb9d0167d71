import { useState } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Empty, Failed, Outline } from "../../parts/basic/states.tsx";
import { Check, Field, Select, TextInput } from "../../parts/forms/fields.tsx";
import { href, place, setQuery } from "../../router/router.ts";
import { number } from "../../texts/format.ts";
import { Lines } from "./lines.tsx";
import { t } from "./texts.ts";

/** Numbers of lines to choose from; the server returns at most a thousand. */
const COUNTS = ["100", "300", "1000"];
/** Logs that always exist. Any component can have its own. */
const KNOWN = ["Signalbox", "Error"];

interface Asked {
  readonly log: string;
  readonly match: string;
  readonly date: string;
  readonly rows: string;
  readonly isPattern: boolean;
  readonly isExact: boolean;
}

function askedIn(query: Readonly<Record<string, string>>): Asked {
  const { log = "Signalbox", match = "", date = "", rows = "100", regex, case: exact } = query;
  return { log, match, date, rows, isPattern: regex === "1", isExact: exact === "1" };
}

/** Searches the log files of the engine. Newest lines first. */
export function Page() {
  useCrumbs([{ title: t("system"), href: href("/system") }, { title: t("title") }]);
  const asked = askedIn(place.value.query);
  const { log, match, date, rows, isPattern, isExact } = asked;
  const found = useLoad(`logs ${JSON.stringify(asked)}`, (signal) =>
    api.adminSearchLogs(
      { log, match, regex: isPattern, case: isExact, rows: Number(rows), ...(date ? { date } : {}) },
      { signal },
    ),
  );
  const answer = found.data.value;
  const error = found.error.value;
  return (
    <>
      <Head title={t("title")} note={t("summary")} />
      <Panel
        title={log}
        {...(answer && !error
          ? { count: t("counted", { n: answer.rows.length, all: number(answer.list.length) }) }
          : {})}
        more={
          <Button kind="row" icon="retry" isDisabled={found.isLoading.value} onClick={() => found.reload()}>
            {t("again")}
          </Button>
        }
      >
        <Asking key={JSON.stringify(asked)} asked={asked} />
        <Answered found={found} hasText={match !== ""} />
      </Panel>
    </>
  );
}

interface AnsweredProps {
  readonly found: Loaded<Awaited<ReturnType<typeof api.adminSearchLogs>>>;
  /** The search text may be hiding lines. */
  readonly hasText: boolean;
}

function Answered({ found, hasText }: AnsweredProps) {
  const [answer, error] = [found.data.value, found.error.value];
  // There is no such log, or none at all. Nothing failed, so offering a retry would not help.
  if (error?.code === "admin") return <Empty>{error.description}</Empty>;
  if (error) return <Failed error={error} onRetry={found.reload} />;
  if (!answer) return <Outline rows={12} />;
  if (answer.rows.length === 0) return <Empty>{hasText ? t("noMatch") : t("empty")}</Empty>;
  return <Lines rows={answer.rows} />;
}

/** The search form. Its values are in the address, so that a link leads to the same lines. */
function Asking({ asked }: { readonly asked: Asked }) {
  const [log, setLog] = useState(asked.log);
  const [match, setMatch] = useState(asked.match);
  const ask = (): void =>
    setQuery({ log: log === "Signalbox" ? undefined : log, match: match || undefined }, { push: true });
  return (
    <form
      class="ask-logs"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <LogName value={log} onInput={setLog} />
      <Field label={asked.isPattern ? t("pattern") : t("text")}>
        {(id) => <TextInput id={id} value={match} onInput={setMatch} placeholder={t("all")} maxLength={1000} />}
      </Field>
      <Field label={t("day")}>
        {(id) => (
          <TextInput id={id} type="date" value={asked.date} onInput={(date) => setQuery({ date: date || undefined })} />
        )}
      </Field>
      <Field label={t("lines")}>
        {(id) => (
          <Select
            id={id}
            choices={COUNTS.map((value) => ({ value, title: number(Number(value)) }))}
            value={asked.rows}
            onInput={(rows) => setQuery({ rows: rows === "100" ? undefined : rows })}
          />
        )}
      </Field>
      <How asked={asked} />
    </form>
  );
}

interface LogNameProps {
  readonly value: string;
  readonly onInput: (name: string) => void;
}

/** A free-text field, because any component may have its own log; the known ones are suggested. */
const LogName = ({ value, onInput }: LogNameProps) => (
  <Field label={t("log")}>
    {(id) => (
      <>
        <input
          id={id}
          class="input"
          list={`${id}-known`}
          value={value}
          pattern={"\\w+"}
          maxLength={64}
          required
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <datalist id={`${id}-known`}>
          {KNOWN.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </>
    )}
  </Field>
);

const How = ({ asked }: { readonly asked: Asked }) => (
  <div class="acts">
    <Check value={asked.isPattern} onInput={(isOn) => setQuery({ regex: isOn ? "1" : undefined })}>
      {t("isPattern")}
    </Check>
    <Check value={asked.isExact} onInput={(isOn) => setQuery({ case: isOn ? "1" : undefined })}>
      {t("isExact")}
    </Check>
    <Button type="submit" icon="search">
      {t("find")}
    </Button>
  </div>
);
