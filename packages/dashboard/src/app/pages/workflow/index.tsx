import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { useFreshJobs } from "../../data/jobs/fresh-jobs.ts";
import { jobState } from "../../data/jobs/job-state.ts";
import { activeJobs } from "../../data/records/counts.ts";
import { listedOne } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { Head, Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { RunsFor, Time } from "../../parts/time.tsx";
import { go, href } from "../../router/router.ts";
import { duration } from "../../texts/format.ts";
import type { Event } from "../events/deeds.ts";
import { EventMenu } from "../events/menu.tsx";
import type { PageProps } from "../page.ts";
import { type GraphNode, graphOf } from "./graph/model.ts";
import { NodeJobs } from "./graph/node-jobs.tsx";
import { GraphPanel } from "./graph/panel.tsx";
import { factsOf } from "./graph/states.ts";
import { t } from "./texts.ts";

type Shown = Awaited<ReturnType<typeof api.getEvent>>["event"];
export type WorkflowEvent = Shown & { readonly workflow?: unknown };

/** One workflow: its graph with what is running, and its last runs. */
export function Page({ params: { id = "" } }: PageProps) {
  const revision = listedOne("events", id)?.revision;
  // Keeps showing the old answer while a newer revision is loaded.
  const loaded = useLoad(`workflow ${id} ${revision}`, () => api.getEvent({ id }), `workflow ${id}`);
  const event = loaded.data.value?.event as WorkflowEvent | undefined;
  useCrumbs([{ title: t("title"), href: href("/workflows") }, { title: event?.title ?? id }]);
  if (!event) return <Missing of={loaded} gone={t("gone")} />;
  return <Workflow event={event} />;
}

/** Runs the workflow, from `node` if given, and opens its job. */
export async function run(event: { readonly id: string; readonly title: string }, node?: GraphNode): Promise<void> {
  const start = node ? { "workflow/start": node.id } : {};
  const answer = await act(`run ${event.id}`, {
    run: () => api.runEvent({ id: event.id, ...start }),
    done: t("started", { name: event.title }),
  });
  if (answer?.id) await go(`/jobs/${answer.id}`);
}

const Acts = ({ event }: { readonly event: WorkflowEvent }) => (
  <>
    {can("edit_events") && (
      <a class="btn" href={href(`/workflows/${event.id}/edit`)}>
        <Icon name="edit" />
        {t("edit")}
      </a>
    )}
    <a class="btn" href={href(`/events/${event.id}`)}>
      {t("asEvent")}
    </a>
    <Action needs="run_jobs" deed={`run ${event.id}`} kind="primary" icon="play" run={() => run(event)}>
      {t("run")}
    </Action>
    <EventMenu event={event as Event} isShort />
  </>
);

function Workflow({ event }: { readonly event: WorkflowEvent }) {
  const graph = graphOf(event.workflow);
  const facts = factsOf(undefined, activeJobs.all(), { event: event.id });
  return (
    <>
      <Head title={event.title} note={event.enabled ? undefined : t("disabled")} actions={<Acts event={event} />} />
      <div class="stack">
        <GraphPanel
          graph={graph}
          facts={facts}
          triggers={event.triggers ?? []}
          name={event.title}
          aside={(node, close) => (
            <NodeJobs node={node} facts={facts} onClose={close}>
              <RunFrom event={event} node={node} />
            </NodeJobs>
          )}
        />
        <Runs event={event} />
      </div>
    </>
  );
}

const RunFrom = ({ event, node }: { readonly event: WorkflowEvent; readonly node: GraphNode }) =>
  node.type === "limit" || node.type === "note" ? null : (
    <div class="fields">
      <Action needs="run_jobs" deed={`run ${event.id}`} icon="play" run={() => run(event, node)}>
        {t("runFrom")}
      </Action>
    </div>
  );

const SHOWN = 20;
type Run = Awaited<ReturnType<typeof api.searchJobs>>["rows"][number];

const columns: readonly Column<Run>[] = [
  {
    key: "when",
    title: () => t("when"),
    width: "16rem",
    cell: (job) => (
      <span class="cell">
        <Mark state={jobState({ ...job, final: job["state"] === undefined || job.completed !== undefined })} />
        <a class="whole" href={href(`/jobs/${job.id}`)}>
          <Time at={job.started ?? 0} />
        </a>
      </span>
    ),
  },
  {
    key: "result",
    title: () => t("result"),
    rank: 3,
    cell: ({ description }) => (
      <span class="dim cut" dir="auto">
        {description}
      </span>
    ),
  },
  {
    key: "took",
    title: () => t("took"),
    isNumber: true,
    width: "7rem",
    cell: (job) => (job.completed ? duration(job.elapsed ?? 0) : <RunsFor since={job.started ?? 0} />),
  },
];

/** The workflow's runs: active ones, then the latest finished ones. */
function Runs({ event: { id, title } }: { readonly event: WorkflowEvent }) {
  const query = `event:${id}`;
  const active = activeJobs.all().filter((job) => job.event === id && job["type"] === "workflow") as unknown as Run[];
  const runs = useLoad(`runs ${id}`, async () => {
    const { rows } = await api.searchJobs({ query, limit: SHOWN * 2 });
    // Jobs of nodes of type job have the workflow's event too, so they are left out.
    return rows.filter((job) => job["type"] === "workflow").slice(0, SHOWN);
  });
  useFreshJobs(runs.reload);
  return (
    <Panel title={t("runs")}>
      <WhenLoaded of={runs}>
        {(past) => {
          const rows = [...active, ...past.filter((job) => !active.some((one) => one.id === job.id))];
          return rows.length === 0 ? (
            <Empty>{t("noRuns")}</Empty>
          ) : (
            <Table label={t("runTable", { name: title })} columns={columns} rows={rows} keyOf={(job) => job.id ?? ""} />
          );
        }}
      </WhenLoaded>
    </Panel>
  );
}
