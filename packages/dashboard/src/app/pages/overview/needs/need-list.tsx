import { type Signal, useSignal } from "@preact/signals";
import { dueDay } from "../../../data/records/due.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { subjectTitle } from "../../../data/records/subjects.ts";
import { Mark } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { Failed, Outline } from "../../../parts/basic/states.tsx";
import { Age } from "../../../parts/time.tsx";
import { hasPage } from "../../../router/find-page.ts";
import { href } from "../../../router/router.ts";
import { t } from "../texts.ts";
import { type Further, type Needs, OVERDUE } from "./facts.ts";
import { Acts } from "./need-acts.tsx";
import type { Need } from "./needs.ts";

const SHOWN = 8;

/** Everything that needs a person, worst first. */
export function NeedList({ needs, further, failed, reloadSilences }: Needs) {
  const isWhole = useSignal(false);
  const rest = (needs?.length ?? 0) - SHOWN;
  const shown = isWhole.value ? needs : needs?.slice(0, SHOWN);
  return (
    <section class="panel g-need" aria-label={t("needs")}>
      <Unknown failed={failed} />
      {!shown ? <Outline rows={3} /> : shown.length === 0 ? failed.length === 0 && <Calm /> : null}
      {shown && shown.length > 0 && (
        <ul class="rows">
          {shown.map((need) => (
            <li key={need.key}>
              <Mark state={need.state} />
              <About need={need} />
              <div class="when">
                <Age at={need.since} />
              </div>
              <div class="acts">
                <Acts need={need} onSilenced={reloadSilences} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <Rest hidden={isWhole.value ? 0 : rest} further={further} isWhole={isWhole} />
    </section>
  );
}

interface RestProps {
  /** Number of lines not shown yet. */
  readonly hidden: number;
  readonly further: Further;
  readonly isWhole: Signal<boolean>;
}

/** Footer of the list: a button that shows the remaining lines, and links to what is not loaded. */
function Rest({ hidden, further, isWhole }: RestProps) {
  const others = [
    { n: further.alerts, text: "moreFiring", at: href("/alerts") },
    { n: further.servers, text: "moreServers", at: href("/servers") },
    { n: further.tickets, text: "moreOverdue", at: href("/tickets", { q: OVERDUE }) },
  ] as const;
  if (hidden <= 0 && others.every(({ n }) => n <= 0)) return null;
  const showAll = (): void => {
    isWhole.value = true;
  };
  return (
    <footer class="tail">
      {hidden > 0 && <Button onClick={showAll}>{t("showMore", { n: hidden })}</Button>}
      {others.map(
        ({ n, text, at }) =>
          n > 0 && (
            <a key={text} href={at}>
              {t(text, { n })}
            </a>
          ),
      )}
    </footer>
  );
}

/** Shows each reason once, because several requests often fail for the same one. Retrying repeats all of them. */
function Unknown({ failed }: Pick<Needs, "failed">) {
  const reasons = new Map(failed.flatMap(({ error }) => (error.value ? [[error.value.description, error.value]] : [])));
  const retry = (): void => {
    for (const { reload } of failed) void reload();
  };
  return [...reasons.values()].map((error) => <Failed key={error.description} error={error} onRetry={retry} />);
}

const Calm = () => (
  <p class="calm">
    <Mark state="ok" />
    <span class="dim">{t("allWell")}</span>
  </p>
);

interface Said {
  readonly title: string;
  readonly why: string;
  readonly path: string;
}

/** Describes a need: what, why, and the path of the page about it. */
function saidOf({ about }: Need): Said {
  if (about.kind === "alert") {
    const { id, alert, message } = about.invocation;
    const why = t("firing", { server: subjectTitle(about.invocation), message });
    return { title: titleOf("alerts", alert), why, path: `/alerts/${id}` };
  }
  if (about.kind === "server") {
    const { id, hostname } = about.server;
    return { title: t("gone", { name: hostname }), why: t("goneWhy"), path: `/servers/${id}` };
  }
  if (about.kind === "ticket") {
    const { id, num, subject, due } = about.ticket;
    return { title: subject, why: t("overdue", { num: num ?? "", date: dueDay(Number(due)) }), path: `/tickets/${id}` };
  }
  const { id, event, server } = about.job;
  const names = { name: titleOf("events", event), server: titleOf("servers", server) };
  const path = `/jobs/${id}`;
  if (about.kind === "stuck") return { title: t("stuck", names), why: t(`stuck.${about.reason}`, names), path };
  const description = about.job.description || String(about.job.code);
  return {
    title: t("failed", names),
    why: t("failedWhy", { ...names, description: description.replace(/\.$/, "") }),
    path,
  };
}

function About({ need }: { readonly need: Need }) {
  const { title, why, path } = saidOf(need);
  const name = <b dir="auto">{title}</b>;
  return (
    <div class="what">
      {hasPage(path) ? <a href={href(path)}>{name}</a> : name}
      <div class="why cut" title={why} dir="auto">
        {why}
      </div>
    </div>
  );
}
