import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { client } from "../../../data/calls/session.ts";
import { isOver, jobState } from "../../../data/jobs/job-state.ts";
import { useKeys } from "../../../data/keys.ts";
import { Button } from "../../../parts/basic/button.tsx";
import { Icon } from "../../../parts/basic/icon.tsx";
import { Empty, Failed, Outline } from "../../../parts/basic/states.tsx";
import { place, setQuery } from "../../../router/router.ts";
import { now, number } from "../../../texts/format.ts";
import type { ShownJob } from "../index.tsx";
import { t } from "../texts.ts";
import type { JobLog } from "./job-log.ts";
import { LogView } from "./screen/view.tsx";
import { createTools, type LogTools, toggle } from "./tools.ts";

interface LogPanelProps {
  readonly log: JobLog;
  readonly job: ShownJob;
  readonly token: string;
  readonly title: string;
}

/** The log with its toolbar. */
export function LogPanel({ log, job, token, title }: LogPanelProps) {
  const hasEnded = isOver(job);
  const tools = useMemo(
    () => createTools(log, { isLive: !hasEnded, hasFailed: ["fail", "crit"].includes(jobState(job)) }),
    [log],
  );
  useEffect(() => tools.stop, [tools]);
  const download = useRef<HTMLAnchorElement>(null);
  useLogKeys(tools, download);
  const isFull = place.value.query["full"] === "1";
  return (
    <section class={isFull ? "panel log full" : "panel log"} aria-label={t("log")}>
      <div class="logbar">
        <Find tools={tools} />
        <Follow tools={tools} />
        <Button kind="bare" icon="wrapi" isPressed={place.value.query["wrap"] === "1"} onClick={() => toggle("wrap")}>
          {t("wrap")}
        </Button>
        <a
          ref={download}
          class="btn bare"
          href={client.href("download_job_log", { id: job.id, t: token })}
          download={`${job.id}.log`}
        >
          <Icon name="dl" />
          {t("download")}
        </a>
        <Button kind="bare" icon="full" isPressed={isFull} label={t("full")} onClick={() => toggle("full")} />
      </div>
      <Lines log={log} tools={tools} title={title} isOver={hasEnded} />
      <Foot log={log} tools={tools} isOver={hasEnded} />
    </section>
  );
}

function useIsEmpty(log: JobLog): boolean {
  const isEmpty = useSignal(true);
  useEffect(
    () =>
      log.version.subscribe(() => {
        isEmpty.value = log.buffer.peek().count === 0;
      }),
    [log],
  );
  return isEmpty.value;
}

const NoLines = ({ isLoading, isOver: hasEnded }: { readonly isLoading: boolean; readonly isOver: boolean }) =>
  isLoading ? <Outline rows={8} /> : <Empty>{hasEnded ? t("noLog") : t("noLogYet")}</Empty>;

/** Keyboard shortcuts of the log: f g G n N e E l L w d, and Esc to leave the full window. */
function useLogKeys(tools: LogTools, download: { readonly current: HTMLAnchorElement | null }): void {
  const { screen } = tools;
  const isFull = place.value.query["full"] === "1";
  useKeys({
    f: () => screen.follow(!screen.isFollowing.peek()),
    g: () => screen.toStart(),
    G: () => screen.follow(true),
    n: () => tools.step(1),
    N: () => tools.step(-1),
    e: () => tools.stepMark(1),
    E: () => tools.stepMark(-1),
    l: () => tools.pickHere(false),
    L: () => tools.pickHere(true),
    w: () => toggle("wrap"),
    d: () => download.current?.click(),
    ...(isFull ? { Escape: () => toggle("full") } : {}),
  });
}

interface ToolsProps {
  readonly tools: LogTools;
}

function Find({ tools: { finder, step } }: { readonly tools: LogTools }) {
  const query = place.value.query["q"] ?? "";
  const fault = finder.fault.value;
  return (
    <search class={fault ? "logfind bad" : "logfind"}>
      <Icon name="search" />
      <input
        type="search"
        data-filter
        aria-label={t("findInLog")}
        aria-invalid={fault ? true : undefined}
        title={fault}
        placeholder={t("findInLog")}
        value={query}
        spellcheck={false}
        onInput={(event) => setQuery({ q: event.currentTarget.value || undefined })}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
        }}
      />
      {query && (
        <span role="status">
          {fault ? t("badPattern") : t("found", { at: number(finder.place.value), n: number(finder.count.value) })}
        </span>
      )}
      {query && <Button kind="bare" icon="up" label={t("previous")} onClick={() => step(-1)} />}
      {query && <Button kind="bare" icon="down" label={t("nextFound")} onClick={() => step(1)} />}
    </search>
  );
}

const Follow = ({ tools: { screen } }: ToolsProps) => (
  <Button
    kind="bare"
    icon="follow"
    isPressed={screen.isFollowing.value}
    onClick={() => screen.follow(!screen.isFollowing.peek())}
  >
    {t("follow")}
  </Button>
);

interface FootProps extends ToolsProps {
  readonly log: JobLog;
  readonly isOver: boolean;
}

/** Number of lines and whether the log is followed; rendered once a second, and when the log has loaded. */
function Foot({ log, tools: { screen, buffer }, isOver: hasEnded }: FootProps) {
  now.value;
  const { count, dropped } = buffer();
  const isLoading = log.isLoading.value;
  return (
    <footer class="logfoot">
      {!hasEnded && <span>{screen.isFollowing.value ? t("following") : t("pausedHere")}</span>}
      {(count > 0 || !isLoading) && <span>{t("lines", { n: count })}</span>}
      {(log.isCut.value || dropped > 0) && <span>{t("earlier")}</span>}
      {!hasEnded && !isLoading && <NewLines count={count} />}
    </footer>
  );
}

const TOLD_EVERY_SEC = 10;

/** Announces the number of new lines to screen readers every few seconds. */
function NewLines({ count }: { readonly count: number }) {
  const told = useRef({ at: now.peek(), count });
  const text = useRef("");
  if (now.value - told.current.at >= TOLD_EVERY_SEC) {
    const fresh = count - told.current.count;
    text.current = fresh > 0 ? t("newLines", { n: fresh }) : "";
    told.current = { at: now.peek(), count };
  }
  return (
    <span class="vh" role="status">
      {text.current}
    </span>
  );
}

interface LinesProps {
  readonly log: JobLog;
  readonly tools: LogTools;
  readonly title: string;
  readonly isOver: boolean;
}

/** The lines, or why there are none. */
function Lines({ log, tools, title, isOver: hasEnded }: LinesProps) {
  // Depends only on whether there are lines: with the line count, each new line would render this again.
  const isEmpty = useIsEmpty(log);
  if (!isEmpty) return <LogView tools={tools} label={t("logOf", { name: title })} />;
  return log.error.value ? (
    <Failed error={log.error.value} onRetry={() => log.load(hasEnded)} />
  ) : (
    <NoLines isLoading={log.isLoading.value} isOver={hasEnded} />
  );
}
