import { act } from "../../../data/calls/act.ts";
import { api, can } from "../../../data/calls/session.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { namesOf, subjectTitle } from "../../../data/records/subjects.ts";
import { Action } from "../../../parts/basic/button.tsx";
import { Icon } from "../../../parts/basic/icon.tsx";
import { Menu } from "../../../parts/basic/menu.tsx";
import { hasPage } from "../../../router/find-page.ts";
import { go, href } from "../../../router/router.ts";
import { duration, now } from "../../../texts/format.ts";
import { abort } from "../../jobs/abort.ts";
import { isInReach } from "../../silences/quiet/reach.ts";
import { t } from "../texts.ts";
import type { DueTicket, FailedJob, FiringAlert, GoneServer, Need, StuckJob, StuckReason } from "./needs.ts";

export interface ActsProps {
  readonly need: Need;
  readonly onSilenced: () => void;
}

/** Actions on a line of the list. */
export function Acts({ need: { about }, onSilenced }: ActsProps) {
  if (about.kind === "alert") return <AlertActs of={about.invocation} onSilenced={onSilenced} />;
  if (about.kind === "job") return <JobActs of={about.job} />;
  if (about.kind === "stuck") return <StuckActs of={about.job} reason={about.reason} />;
  return about.kind === "server" ? <ServerActs of={about.server} /> : <TicketActs of={about.ticket} />;
}

const HOUR_SEC = 3600;
const SPANS_SEC = [HOUR_SEC, 4 * HOUR_SEC, 24 * HOUR_SEC] as const;

/** True if the server allows the viewer to silence just this firing. */
const maySilence = (of: FiringAlert): boolean => can("silence_alerts") && isInReach(namesOf(of), () => of.groups);

async function silence(of: FiringAlert, seconds: number): Promise<unknown> {
  const { alert } = of;
  const values = { name: titleOf("alerts", alert), server: subjectTitle(of), time: duration(seconds) };
  const start = Math.floor(now.peek());
  return act(`silence ${of.id}`, {
    run: () =>
      api.createSilence({
        title: t("silenceTitle", values),
        enabled: true,
        start,
        end: start + seconds,
        alerts: [alert],
        ...namesOf(of),
      }),
    done: t("silenced", values),
    undo: ({ silence: made }) => api.deleteSilence({ id: made.id }),
  });
}

interface AlertActsProps {
  readonly of: FiringAlert;
  readonly onSilenced: () => void;
}

function AlertActs({ of, onSilenced }: AlertActsProps) {
  const name = titleOf("alerts", of.alert);
  const key = `acknowledge ${of.id}`;
  // One rule may fire on several servers.
  const about = `${name}, ${subjectTitle(of)}`;
  const run = () =>
    act(key, {
      run: () => api.acknowledgeAlertInvocation({ id: of.id }),
      done: t("acknowledged", { name }),
      undo: () => api.unacknowledgeAlertInvocation({ id: of.id }),
    });
  const spans = SPANS_SEC.map((seconds) => ({
    title: t("silenceFor", { time: duration(seconds) }),
    run: async () => {
      if (await silence(of, seconds)) onSilenced();
    },
  }));
  return (
    <>
      <Action needs="acknowledge_alerts" deed={key} kind="row" label={`${t("acknowledge")}: ${about}`} run={run}>
        {t("acknowledge")}
      </Action>
      {maySilence(of) && (
        <Menu label={`${t("silence")}: ${about}`} kind="btn row" items={spans}>
          {t("silence")}
          <Icon name="down" />
        </Menu>
      )}
    </>
  );
}

/** Runs the event again with the same parameters and opens the new job. */
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
      <Open path={`/jobs/${id}`} text={t("log")} name={name} />
    </>
  );
}

interface StuckActsProps {
  readonly of: StuckJob;
  readonly reason: StuckReason;
}

function StuckActs({ of, reason }: StuckActsProps) {
  const name = titleOf("events", of.event);
  const key = `resume ${of.id}`;
  const run = () => act(key, { run: () => api.resumeJob({ id: of.id }), done: t("resumed", { name }) });
  return (
    <>
      {reason === "suspended" && (
        <Action needs="run_jobs" deed={key} kind="row" label={`${t("resume")}: ${name}`} run={run}>
          {t("resume")}
        </Action>
      )}
      <Action
        needs="abort_jobs"
        deed={`abort ${of.id}`}
        kind="row"
        label={`${t("abort")}: ${name}`}
        run={() => abort(of)}
      >
        {t("abort")}
      </Action>
    </>
  );
}

const ServerActs = ({ of: { id, hostname } }: { readonly of: GoneServer }) => (
  <Open path={`/servers/${id}`} text={t("open")} name={hostname} />
);

const TicketActs = ({ of: { id, subject } }: { readonly of: DueTicket }) => (
  <Open path={`/tickets/${id}`} text={t("open")} name={subject} />
);

interface OpenProps {
  readonly path: string;
  readonly text: string;
  readonly name: string;
}

const Open = ({ path, text, name }: OpenProps) =>
  hasPage(path) ? (
    <a class="btn row" href={href(path)} aria-label={`${text}: ${name}`}>
      {text}
    </a>
  ) : null;
