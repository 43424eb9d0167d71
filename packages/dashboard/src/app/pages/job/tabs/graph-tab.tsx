import { activeJobs } from "../../../data/records/counts.ts";
import { graphOf } from "../../workflow/graph/model.ts";
import { NodeJobs } from "../../workflow/graph/node-jobs.tsx";
import { GraphPanel } from "../../workflow/graph/panel.tsx";
import { factsOf } from "../../workflow/graph/states.ts";
import type { ShownJob } from "../index.tsx";

interface GraphTabProps {
  readonly job: ShownJob;
  readonly title: string;
}

const NO_TRIGGERS = [] as const;

/** The graph of a run with the state of each graph node, and beside it the jobs of the selected node. */
export function GraphTab({ job, title }: GraphTabProps) {
  const facts = factsOf(job["workflow"], activeJobs.all(), { job: job.id });
  return (
    <GraphPanel
      graph={graphOf(job["workflow"])}
      facts={facts}
      triggers={NO_TRIGGERS}
      name={title}
      aside={(node, close) => <NodeJobs node={node} facts={facts} onClose={close} />}
    />
  );
}
