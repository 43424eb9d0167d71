import { act } from "../../data/act.ts";
import { titleOf } from "../../data/lists.ts";
import { api } from "../../data/session.ts";
import { Mark } from "../../parts/basic.tsx";
import { Action } from "../../parts/button.tsx";
import { Age } from "../../parts/time.tsx";
import { hasPage } from "../../router/find-page.ts";
import { go, href } from "../../router/router.ts";
import type { FailedJob, FiringAlert, Need } from "./needs.ts";
import { t } from "./texts.ts";

const SHOWN = 8;

export function NeedList({ needs }: { readonly needs: readonly Need[] }) {
  const rest = needs.length - SHOWN;
  return (
    <section class="panel g-need" aria-label={t("needs")}>
      {needs.length === 0 ? (
        <p class="calm">
          <Mark state="ok" />
          <span class="dim">{t("allWell")}</span>
        </p>
      ) : (
        <ul class="rows">
          {needs.slice(0, SHOWN).map(({ key, state, since, about }) => (
            <li key={key}>
              <Mark state={state} />
              {about.kind === "alert" ? <AlertText of={about.invocation} /> : <JobText of={about.job} />}
              <div class="when">
                <Age at={since} />
              </div>
              <div class="acts">
                {about.kind === "alert" ? <AlertActs of={about.invocation} /> : <JobActs of={about.job} />}
              </div>
            </li>
          ))}
          {rest > 0 && <li class="dim">{t("more", { n: rest })}</li>}
        </ul>
      )}
    </section>
  );
}

interface TextProps {
  readonly title: string;
  readonly why: string;
  readonly path: string;
}

function Text({ title, why, path }: TextProps) {
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

const AlertText = ({ of: { id, alert, server, message } }: { readonly of: FiringAlert }) => (
  <Text
    title={titleOf("alerts", alert)}
    why={t("firing", { server: titleOf("servers", server), message })}
    path={`/alerts/${id}`}
  />
);

const JobText = ({ of: { id, event, description, server, code } }: { readonly of: FailedJob }) => (
  <Text
    title={t("failed", { name: titleOf("events", event) })}
    why={t("failedWhy", { description: description || String(code), server: titleOf("servers", server) })}
    path={`/jobs/${id}`}
  />
);

function AlertActs({ of: { id, alert } }: { readonly of: FiringAlert }) {
  const name = titleOf("alerts", alert);
  const key = `acknowledge ${id}`;
  const run = () =>
    act(key, {
      run: () => api.acknowledgeAlertInvocation({ id }),
      done: t("acknowledged", { name }),
      undo: () => api.unacknowledgeAlertInvocation({ id }),
    });
  return (
    <Action needs="acknowledge_alerts" deed={key} kind="row" label={`${t("acknowledge")}: ${name}`} run={run}>
      {t("acknowledge")}
    </Action>
  );
}

function JobActs({ of: { id = "", event = "", params } }: { readonly of: FailedJob }) {
  const name = titleOf("events", event);
  const key = `retry ${id}`;
  const run = async (): Promise<void> => {
    const again = () => api.runEvent({ id: event, params: params as Record<string, unknown> });
    const answer = await act(key, { run: again, done: t("retried", { name }) });
    if (answer?.id) await go(`/jobs/${answer.id}`);
  };
  return (
    <>
      <Action needs="run_jobs" deed={key} kind="row" label={`${t("retry")}: ${name}`} run={run}>
        {t("retry")}
      </Action>
      <a class="btn row" href={href(`/jobs/${id}`)} aria-label={`${t("log")}: ${name}`}>
        {t("log")}
      </a>
    </>
  );
}
