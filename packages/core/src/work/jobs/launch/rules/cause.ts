import { membersOf } from "../../../../lib/json/is-object.ts";
import type { Cause } from "../../../../wire/cause.ts";
import type { Job, LaunchRequest } from "../../model.ts";

type Asked = Pick<LaunchRequest, "source" | "parent" | "workflow" | "input"> & {
  readonly event: Pick<LaunchRequest["event"], "id">;
};

/** The cause of a job (docs/contract/records.md#cause); `caller` acts in the unit that launches the job. */
export function launchCause(asked: Asked, caller: Cause): Cause {
  const { kind, id } = originOf(asked) ?? caller;
  return { kind, id, ...(caller.request === undefined ? {} : { request: caller.request }) };
}

/** The cause of a retry is the previous attempt, with the same request. */
export const retryCause = ({ id, cause }: Pick<Job, "id" | "cause">): Cause => ({
  kind: "job",
  id,
  ...(cause?.request === undefined ? {} : { request: cause.request }),
});

/** Undefined when the caller is the cause. */
function originOf({ source, event, parent, workflow, input }: Asked): Pick<Cause, "kind" | "id"> | undefined {
  switch (source) {
    case "scheduler":
    case "plugin":
    case "startup":
      return { kind: "schedule", id: event.id };
    case "magic":
      return { kind: "magic", id: event.id };
    case "action":
      return { kind: "job", id: String(parent?.["job"]) };
    case "workflow":
      return { kind: "workflow", id: String(workflow?.["job"]) };
    case "alert":
      return { kind: "alert", id: String(membersOf(input?.data?.["alert"])["id"]) };
    default:
      return undefined;
  }
}
