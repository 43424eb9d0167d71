import type { Cradle } from "../../../kernel/container.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import { textsOf } from "../../../lib/text/text-of.ts";
import { stripTags } from "../../../wire/fields/strip-tags.ts";
import type { ActiveJob, Job } from "../model.ts";

type Deps = Pick<Cradle, "jobs">;

/** Changes the job of the action, with a line in the meta log; the outcome has the same text. */
async function changeJob(
  { data }: ActionRun,
  { jobs: { desk } }: Deps,
  { text, members }: { readonly text: string; readonly members: (job: Job) => Partial<Job> },
): Promise<ActionOutcome> {
  const id = String(membersOf(data["job"])["id"] ?? "");
  await desk.change(id, (_unit, record): ActiveJob => {
    const job = { ...record.job, ...members(record.job) };
    return desk.meta({ ...record, job }, [text]);
  });
  return { code: 0, description: text };
}

/** Adds tags to the job; they fire no further actions in the same phase. */
export const tagAction: ActionType = {
  applies: ["job"],
  validate({ tags }) {
    if (!Array.isArray(tags)) throw new InputError("Invalid tag list.");
    if (tags.length === 0) throw new InputError("No tags selected.");
  },
  target: ({ tags }) => textsOf(tags).join(","),
  async run(run, cradle) {
    const tags = textsOf(run.action["tags"]);
    return changeJob(run, cradle, {
      text: `Added tags: ${tags.join(", ")}`,
      members: (job) => ({ tags: [...new Set([...(job.tags ?? []), ...tags])] }),
    });
  },
};

/** Bounded because lists of jobs contain labels, and are sent often. */
const MAX_LABEL = 1000;

/** Sets the job's label; the first label action of a phase applies. */
export const labelAction: ActionType = {
  applies: ["job"],
  validate({ label }) {
    if (typeof label !== "string") throw new InputError("Invalid label.");
    if (/[<>]/.test(label)) throw new InputError("Label contains invalid characters.");
    if (label === "") throw new InputError("No label specified.");
  },
  target: () => "",
  async run(run, cradle) {
    const template = cradle.expressions.compileTemplate(String(run.action["label"] ?? ""));
    const label = stripTags(template.expand(run.data, { undefinedText: "n/a" }))
      .trim()
      .slice(0, MAX_LABEL);
    return changeJob(run, cradle, { text: `Label was set: ${label}`, members: () => ({ label }) });
  },
};

/** Disables the event once the job is final. */
export const disableAction: ActionType = {
  applies: ["job"],
  target: () => "",
  async run(run, cradle) {
    return changeJob(run, cradle, {
      text: "The event will be disabled when the job is final.",
      members: (job) => ({ update_event: { ...Object(job.update_event), enabled: false } }),
    });
  },
};

/** Deletes the event once the job is final; takes precedence over `disable`. */
export const deleteAction: ActionType = {
  applies: ["job"],
  target: () => "",
  async run(run, cradle) {
    return changeJob(run, cradle, {
      text: "The event will be deleted when the job is final.",
      members: () => ({ delete_event: true }),
    });
  },
};
