import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/action-type.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { InputError } from "../../../kernel/errors.ts";
import { stripTags } from "../../../wire/strip-tags.ts";
import type { ActiveJob, Job } from "../model.ts";

/** Changes the job that the action belongs to. */
async function changeJob({ data }: ActionRun, { jobs }: Cradle, members: (job: Job) => Partial<Job>): Promise<void> {
  const id = String((data["job"] as { id?: unknown } | undefined)?.id ?? "");
  await jobs.desk.change(
    id,
    (_unit, record): ActiveJob => ({ ...record, job: { ...record.job, ...members(record.job) } }),
  );
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string" && item !== "") : [];

const done = (description: string): ActionOutcome => ({ code: 0, description });

/** Adds tags to the job; they fire no further action of the same phase. */
export const tagAction: ActionType = {
  applies: ["job"],
  validate({ tags }) {
    if (!Array.isArray(tags)) throw new InputError("Invalid tag list.");
    if (tags.length === 0) throw new InputError("No tags selected.");
  },
  target: ({ tags }) => textsOf(tags).join(","),
  async run(run, cradle) {
    const tags = textsOf(run.action["tags"]);
    await changeJob(run, cradle, (job) => ({ tags: [...new Set([...(job.tags ?? []), ...tags])] }));
    return done(`Added tags: ${tags.join(", ")}`);
  },
};

/** Sets the job's label; the first label action of a phase applies. */
export const labelAction: ActionType = {
  applies: ["job"],
  validate({ label }) {
    if (typeof label !== "string") throw new InputError("Invalid label.");
    if (/[<>]/.test(label)) throw new InputError("Label contains invalid characters.");
    if (label.trim() === "") throw new InputError("No label specified.");
  },
  target: () => "",
  async run(run, cradle) {
    const template = cradle.expressions.compileTemplate(String(run.action["label"] ?? ""));
    const label = stripTags(template.expand(run.data)).trim();
    await changeJob(run, cradle, () => ({ label }));
    return done(`Label was set: ${label}`);
  },
};

/** Disables the event once the job is final. */
export const disableAction: ActionType = {
  applies: ["job"],
  target: () => "",
  async run(run, cradle) {
    await changeJob(run, cradle, (job) => ({ update_event: { ...Object(job["update_event"]), enabled: false } }));
    return done("The event will be disabled when the job is final.");
  },
};

/** Deletes the event once the job is final; wins over `disable`. */
export const deleteAction: ActionType = {
  applies: ["job"],
  target: () => "",
  async run(run, cradle) {
    await changeJob(run, cradle, () => ({ delete_event: true }));
    return done("The event will be deleted when the job is final.");
  },
};
