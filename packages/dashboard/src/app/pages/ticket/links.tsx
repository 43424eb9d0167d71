import { SignalboxError } from "@signalbox/client";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { useFreshJobs } from "../../data/jobs/fresh-jobs.ts";
import { jobName } from "../../data/jobs/job-name.ts";
import { jobState } from "../../data/jobs/job-state.ts";
import { activeJobs } from "../../data/records/counts.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Select } from "../../parts/forms/fields.tsx";
import { Time } from "../../parts/time.tsx";
import { go, href } from "../../router/router.ts";
import { t as common } from "../../texts/words/common.ts";
import type { Ticket } from "../tickets/query/values.ts";
import type { TicketProps } from "./index.tsx";
import { t } from "./texts.ts";

const MOST = 20;

/** Jobs and alerts that refer to the ticket, and events that can be run from it. */
export function Links(props: TicketProps) {
  const { id } = props.ticket;
  const found = useLoad(`ticket links ${id}`, async (signal) => {
    const [jobs, alerts] = await Promise.all([
      api.searchJobs({ query: `tickets:${id}`, limit: MOST }, { signal }),
      api.searchAlerts({ query: `tickets:${id}`, limit: MOST }, { signal }),
    ]);
    return { jobs: jobs.rows, total: jobs.list.length, alerts: alerts.rows };
  });
  useFreshJobs(found.reload);
  const { jobs = [], total = 0, alerts = [] } = found.data.value ?? {};
  const running = activeJobs.ids.value
    .map((job) => activeJobs.get(job)?.value)
    .filter((job) => (job?.["tickets"] as readonly string[] | undefined)?.includes(id));
  const isAlone = alerts.length > 0 && total + running.length === 0;
  const links = (
    <ul class="linked">
      {running.map((job) => job && <JobLink key={job.id} job={job} at={job.started} />)}
      {jobs.map((job) => (
        <JobLink key={job.id} job={{ ...job, final: true }} at={job.completed} />
      ))}
    </ul>
  );
  return (
    <>
      <Events {...props} />
      {isAlone || (
        <Panel title={t("linkedJobs")} count={found.data.value && total + running.length}>
          <WhenLoaded of={found} rows={1}>
            {() => (total + running.length === 0 ? <p class="dim sm inner">{t("noLinks")}</p> : links)}
          </WhenLoaded>
        </Panel>
      )}
      {alerts.length > 0 && <Alerts alerts={alerts} />}
    </>
  );
}

interface JobLinkProps {
  readonly job: Parameters<typeof jobState>[0] & {
    readonly id?: string | undefined;
    readonly event?: string | undefined;
  };
  readonly at: number | undefined;
}

const JobLink = ({ job, at }: JobLinkProps) => (
  <li>
    <Mark state={jobState(job)} />
    <a class="cut" href={href(`/jobs/${job.id}`)} dir="auto">
      {jobName(job)}
    </a>
    {at ? <Time at={at} /> : null}
  </li>
);

type Stub = NonNullable<Ticket["events"]>[number];
type Stubs = readonly Stub[];

/** Reads the ticket's current events, and its revision. */
async function readStubs(id: string) {
  const { events = [], revision } = (await api.getTicket({ id })).ticket;
  return { stubs: events as Stubs, known: revision === undefined ? {} : { if_revision: revision } };
}

/** Applies a change to the ticket's current events, so that changes by others are kept. */
async function changeStubs(id: string, change: (stubs: Stubs) => Stubs) {
  const { stubs, known } = await readStubs(id);
  return api.updateTicket({ id, events: [...change(stubs)], ...known });
}

const withOne = (stubs: Stubs, id: string): Stubs =>
  stubs.some((stub) => stub.id === id) ? stubs : [...stubs, { id }];
const without = (stubs: Stubs, { id }: Stub): Stubs => stubs.filter((stub) => stub.id !== id);

function Events({ ticket, onChange }: TicketProps) {
  const { id, events = [] } = ticket;
  const set = async (change: (stubs: Stubs) => Stubs): Promise<void> => {
    const run = () => changeStubs(id, change);
    const answer = await act(`events ${id}`, { run, done: t("changed", { member: t("events") }) });
    if (answer) onChange(answer.ticket);
  };
  const rest = (listed("events") ?? []).filter((event) => !events.some((stub) => stub.id === event.id));
  if (events.length === 0 && !can("edit_tickets")) return null;
  return (
    <Panel title={t("events")} count={events.length}>
      <ul class="linked">
        {events.map((stub) => (
          <EventRow key={stub.id} ticket={id} stub={stub} onRemove={() => set((stubs) => without(stubs, stub))} />
        ))}
      </ul>
      {can("edit_tickets") && (
        <div class="inner">
          <Select
            isActing
            label={t("addEvent")}
            value=""
            choices={[
              { value: "", title: t("addEvent") },
              ...rest.map((event) => ({ value: event.id, title: event.title })),
            ]}
            onInput={(event) => event && void set((stubs) => withOne(stubs, event))}
          />
        </div>
      )}
    </Panel>
  );
}

interface EventRowProps {
  readonly ticket: string;
  readonly stub: Stub;
  readonly onRemove: () => unknown;
}

/**
 * Runs an event. The operation takes its index in the list, which may have changed since it was displayed, so it is
 * looked up again.
 */
async function runStub(ticket: string, { id }: Stub) {
  const { stubs } = await readStubs(ticket);
  const index = stubs.findIndex((stub) => stub.id === id);
  if (index < 0) throw new SignalboxError("page", t("changedSince", { member: t("events") }));
  return api.runTicketEvent({ id: ticket, index });
}

function EventRow({ ticket, stub, onRemove }: EventRowProps) {
  const name = titleOf("events", stub.id);
  const run = async (): Promise<void> => {
    const deed = { run: () => runStub(ticket, stub), done: t("running", { name }) };
    const answer = await act(`run ${ticket} ${stub.id}`, deed);
    if (answer) await go(`/jobs/${answer.id}`);
  };
  return (
    <li>
      <a class="cut grow" href={href(`/events/${stub.id}`)} dir="auto">
        {name}
      </a>
      {can("edit_tickets") && (
        <>
          <Action
            needs="run_jobs"
            deed={`run ${ticket} ${stub.id}`}
            kind="row"
            icon="play"
            label={t("runNamed", { name })}
            run={run}
          >
            {t("run")}
          </Action>
          <Button kind="bare" icon="x" label={common("removeNamed", { name })} onClick={onRemove} />
        </>
      )}
    </li>
  );
}

interface AlertsProps {
  readonly alerts: Awaited<ReturnType<typeof api.searchAlerts>>["rows"];
}

const Alerts = ({ alerts }: AlertsProps) => (
  <Panel title={t("linkedAlerts")} count={alerts.length}>
    <ul class="linked">
      {alerts.map(({ id: alert, alert: rule, active, date }) => (
        <li key={alert}>
          <Mark state={active ? "crit" : "ok"} />
          <a class="cut" href={href(`/alerts/${alert}`)} dir="auto">
            {titleOf("alerts", rule)}
          </a>
          <Time at={date} />
        </li>
      ))}
    </ul>
  </Panel>
);
