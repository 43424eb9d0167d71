import type { ComponentChildren } from "preact";
import { useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { Mark, Panel, type StateName } from "../../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../../parts/basic/states.tsx";
import { readTickets } from "../../../parts/ticket-links/index.tsx";
import { Time } from "../../../parts/time.tsx";
import { hasPage } from "../../../router/find-page.ts";
import { href } from "../../../router/router.ts";
import type { ShownJob } from "../index.tsx";
import { t } from "../texts.ts";

/** An action or a limit of a job, with its outcome. */
interface Rule {
  readonly type: string;
  readonly condition?: string;
  readonly date?: number;
  readonly code?: unknown;
  readonly description?: string;
  readonly msg?: string;
  readonly active?: boolean;
}

const rulesOf = (value: unknown): readonly Rule[] => (Array.isArray(value) ? value : []);

/** What followed from a job: attempts, actions, limits, alerts and tickets. */
export const AfterTab = ({ job }: { readonly job: ShownJob }) => (
  <div class="stack">
    <Attempts job={job} />
    <Rules title={t("limitsHit")} none={t("noLimits")} rules={rulesOf(job["limits"]).filter(({ date }) => date)} />
    <Rules
      title={t("actionsRun")}
      none={t("noActions")}
      rules={rulesOf(job["actions"]).filter(({ date, active }) => date || active)}
    />
    <Alerts job={job} />
    <Tickets job={job} />
  </div>
);

interface Launched {
  readonly id: string;
  readonly reason: string;
}

/** The attempts directly before and after this one, oldest first. */
function Attempts({ job }: { readonly job: ShownJob }) {
  const before = job["retry_prev"];
  const jobs = Array.isArray(job["jobs"]) ? (job["jobs"] as readonly Launched[]) : [];
  const next = jobs.find(({ reason }) => reason === "retry")?.id;
  const others = jobs.filter(({ reason }) => reason !== "retry");
  const parent = (job["parent"] as { readonly job?: string } | undefined)?.job;
  if (!before && !next && !parent && others.length === 0) return null;
  const number = (job.retry_count ?? 0) + 1;
  return (
    <Panel title={t("attempts")}>
      <ol class="agenda attempts">
        {parent && <Step id={parent}>{t("startedBy")}</Step>}
        {typeof before === "string" && <Step id={before}>{t("attemptBefore", { n: number - 1 })}</Step>}
        <li aria-current="true">{t("attemptThis", { n: number })}</li>
        {next && <Step id={next}>{t("attemptNext", { n: number + 1 })}</Step>}
        {others.map(({ id }) => (
          <Step key={id} id={id}>
            {t("startsThen")}
          </Step>
        ))}
      </ol>
    </Panel>
  );
}

const Step = ({ id, children }: { readonly id: string; readonly children: ComponentChildren }) => (
  <li>
    <a href={href(`/jobs/${id}`)}>{children}</a> <span class="mono xs dim">{id}</span>
  </li>
);

interface RulesProps {
  readonly title: string;
  readonly none: string;
  readonly rules: readonly Rule[];
}

const stateOf = ({ active, code }: Rule): StateName => (active ? "run" : code ? "fail" : "ok");

const Rules = ({ title, none, rules }: RulesProps) => (
  <Panel title={title} count={rules.length || undefined}>
    {rules.length === 0 ? (
      <Empty>{none}</Empty>
    ) : (
      <ul class="agenda times">
        {rules.map((rule, at) => (
          <li key={at}>
            {rule.date ? <Time at={rule.date} seconds /> : <span />}
            <span class="cell">
              <Mark state={stateOf(rule)} />
              <b>{rule.type}</b>
              <span class="dim" dir="auto">
                {[rule.condition, rule.msg, rule.description].filter(Boolean).join(" · ")}
              </span>
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

/** Alerts that fired on the job's server while it ran, or that name the job. */
function Alerts({ job }: { readonly job: ShownJob }) {
  const { id } = job;
  const found = useLoad(
    `alerts of ${id}`,
    async () => (await api.searchAlerts({ query: `jobs:${id}`, limit: 50 })).rows,
  );
  return (
    <Panel title={t("alerts")}>
      <WhenLoaded of={found} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{t("noAlerts")}</Empty>
          ) : (
            <ul class="agenda times">
              {rows.map((row) => (
                <li key={row.id}>
                  <Time at={row.date} />
                  <Linked path={`/alerts/${row.id}`}>
                    {titleOf("alerts", row.alert)}: {row.message}
                  </Linked>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

function Tickets({ job }: { readonly job: ShownJob }) {
  const ids = (Array.isArray(job.tickets) ? job.tickets : []) as readonly string[];
  const found = useLoad(`tickets of ${job.id} ${ids.join()}`, (signal) => readTickets(ids, signal));
  return (
    <Panel title={t("tickets")}>
      <WhenLoaded of={found} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{t("noTickets")}</Empty>
          ) : (
            <ul class="agenda times">
              {rows.map(({ id, num, subject }) => (
                <li key={id}>
                  <span class="num dim">{num}</span>
                  <Linked path={`/tickets/${id}`}>{subject}</Linked>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

const Linked = ({ path, children }: { readonly path: string; readonly children: ComponentChildren }) =>
  hasPage(path) ? (
    <a href={href(path)} dir="auto">
      {children}
    </a>
  ) : (
    <span dir="auto">{children}</span>
  );
