import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Loaded, useLoad } from "../../data/calls/load.ts";
import { useKeys } from "../../data/keys.ts";
import { useLive } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { titleOf } from "../../data/records/lists.ts";
import { subjectTitle } from "../../data/records/subjects.ts";
import { Pill } from "../../parts/basic/basic.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, Failed, Outline } from "../../parts/basic/states.tsx";
import { pathTo } from "../../router/match.ts";
import { go, href, place } from "../../router/router.ts";
import { age, duration, when } from "../../texts/format.ts";

import { alertState, type Quiet, severityState } from "../alerts/state.ts";
import { t } from "../alerts/texts.ts";
import { tagsOf } from "../silences/data.ts";
import { Acts } from "./acts.tsx";
import { Before } from "./before.tsx";
import { AlertChart } from "./chart.tsx";
import { type Explained, readAlert } from "./read.ts";
import { RuleBlock } from "./rule.tsx";
import { Told } from "./told.tsx";

interface DetailProps {
  readonly id: string;
  readonly silences: Loaded<{ readonly rows: readonly Quiet[] }>;
}

/**
 * When the detail closes, moves focus back to its row in the list, so that Escape or the close button does not lose the
 * place.
 */
function useLeaving(id: string): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(
    () => () => {
      if (!section.current?.contains(document.activeElement)) return;
      document.querySelector<HTMLElement>(`.rows a[href*="${CSS.escape(id)}"]`)?.focus();
    },
    [id],
  );
  return section;
}

/** One firing: its reason, its duration, its notices, what happened before it, and actions. */
export function Detail({ id, silences }: DetailProps) {
  const loaded = useLoad(`alert ${id}`, (signal) => readAlert(id, signal));
  useLive("update", (lists: Record<string, unknown>) => {
    if ("activeAlerts" in lists || "alerts" in lists) void loaded.reload();
  });
  useLive("back", loaded.reload);
  const close = () => go(pathTo("/alerts", place.peek().query));
  useKeys({ Escape: close });
  const section = useLeaving(id);
  const { invocation, explained } = loaded.data.value ?? {};
  const error = loaded.error.value;
  return (
    <section ref={section} class="panel" aria-label={t("detail")}>
      {invocation ? (
        <>
          <DetailHead invocation={invocation} silences={silences.data.value?.rows ?? []} />
          <Sentence invocation={invocation} explained={explained} />
          <AlertChart invocation={invocation} />
          {explained && <RuleBlock explained={explained} invocation={invocation} />}
          <Told invocation={invocation} />
          <Before invocation={invocation} />
          <Acts
            invocation={invocation}
            reload={async () => {
              await Promise.all([loaded.reload(), silences.reload()]);
            }}
          />
        </>
      ) : error ? (
        <Failed error={error} onRetry={loaded.reload} />
      ) : loaded.data.value ? (
        <Empty>{t("gone")}</Empty>
      ) : (
        <Outline rows={10} />
      )}
    </section>
  );
}

interface HeadProps {
  readonly invocation: Invocation;
  readonly silences: readonly Quiet[];
}

function DetailHead({ invocation, silences }: HeadProps) {
  const state = alertState(invocation, silences, tagsOf(invocation.alert));
  const list = href("/alerts", place.value.query);
  const title = t("title2", {
    rule: titleOf("alerts", invocation.alert),
    server: subjectTitle(invocation),
  });
  return (
    <header>
      <a class="btn bare back" href={list} aria-label={t("back")}>
        <Icon name="down" />
      </a>
      <Pill
        state={state === "crit" ? severityState(invocation.severity) : state}
        {...(state === "crit" ? { label: t("firing") } : state === "ok" ? { label: t("past") } : {})}
      />
      <h2 class="cut" dir="auto" title={title}>
        {title}
      </h2>
      <span class="grow" />
      <a class="btn bare shut" href={list} aria-label={t("close")}>
        <Icon name="x" />
      </a>
    </header>
  );
}

interface SentenceProps {
  readonly invocation: Invocation;
  readonly explained: Explained | undefined;
}

/** Explains in words why the alert fired, before any chart. */
function Sentence({ invocation, explained }: SentenceProps) {
  const { active, message, exp, date, modified, stale, acknowledged } = invocation;
  const [before, after = ""] = t(active ? "fires" : "firedBecause").split("{message}");
  const isNewest = explained?.invocation?.id === invocation.id;
  return (
    <p class="say">
      {before}
      <b dir="auto">{(message || exp).replace(/\.$/, "")}</b>
      {after}.{" "}
      {active
        ? t("sinceFor", { at: when(date), age: age(date) })
        : t("endedAfter", { at: when(date), time: duration(Math.max(60, modified - date)) })}{" "}
      {stale && t("wentSilent")} {active && isNewest && <span dir="auto">{explained?.reason}</span>}{" "}
      {acknowledged && !active && t("tookAt", { name: personName(acknowledged.username), at: when(acknowledged.date) })}
    </p>
  );
}
