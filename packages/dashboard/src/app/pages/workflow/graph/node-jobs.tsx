import type { ComponentChildren } from "preact";
import { jobState } from "../../../data/jobs/job-state.ts";
import { titleOf } from "../../../data/records/lists.ts";
import { Mark, Panel } from "../../../parts/basic/basic.tsx";
import { Button } from "../../../parts/basic/button.tsx";
import { Empty } from "../../../parts/basic/states.tsx";
import { href } from "../../../router/router.ts";
import { duration } from "../../../texts/format.ts";
import { t } from "../texts.ts";
import type { GraphNode } from "./model.ts";
import { kindOf, nameOf } from "./names.ts";
import type { RunFacts } from "./states.ts";

interface NodeJobsProps {
  readonly node: GraphNode;
  readonly facts: RunFacts;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Maximum number of a node's jobs listed here; the page of all jobs finds the rest. */
const SHOWN = 50;

/** A graph node and its jobs in a run, shown beside the graph. */
export function NodeJobs({ node, facts, onClose, children }: NodeJobsProps) {
  const running = facts.active.get(node.id) ?? [];
  const ended = facts.jobs[node.id] ?? [];
  const runsJobs = node.type === "event" || node.type === "job";
  const close = <Button kind="bare" icon="x" label={t("closeNode")} onClick={onClose} />;
  return (
    <Panel title={nameOf(node)} note={kindOf(node)} class="aside" more={close}>
      {children}
      {runsJobs && running.length + ended.length === 0 && <Empty>{t("noJobs")}</Empty>}
      {running.length + ended.length > 0 && (
        <ul class="agenda parts" aria-label={t("jobsOf")}>
          {running.slice(0, SHOWN).map((job) => (
            <JobLine key={job.id} id={job.id} state={jobState(job)} server={job.server} text="" />
          ))}
          {ended.slice(-SHOWN).map(({ id, code, server, elapsed, description }) => (
            <JobLine
              key={id}
              id={id}
              state={jobState({ code, complete: true })}
              server={server}
              text={code && description ? description : duration(elapsed ?? 0)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface JobLineProps {
  readonly id: string;
  readonly state: ReturnType<typeof jobState>;
  readonly server: string | undefined;
  readonly text: string;
}

const JobLine = ({ id, state, server, text }: JobLineProps) => (
  <li>
    <Mark state={state} />
    <a class="cut" href={href(`/jobs/${id}`)}>
      {titleOf("servers", server) || id}
    </a>
    <span class="xs dim cut" dir="auto">
      {text}
    </span>
  </li>
);
