import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { changeTags, ownTags } from "../../data/jobs/job-tags.ts";
import { type ListChange, reversed } from "../../data/records/carried.ts";
import { listed } from "../../data/records/lists.ts";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Check, Field, TextArea, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { TicketLinks } from "../../parts/ticket-links/index.tsx";
import { hasPage } from "../../router/find-page.ts";
import { go } from "../../router/router.ts";
import { bytes } from "../../texts/format.ts";
import type { ShownJob } from "./index.tsx";
import { t } from "./texts.ts";

type Asked = "run" | "tags" | "ticket";
/** The open dialog, and the job that it is about. */
const open = signal<{ readonly what: Asked; readonly id: string } | undefined>(undefined);
const close = (): void => {
  open.value = undefined;
};
export const ask = (what: Asked, id: string): void => {
  open.value = { what, id };
};

interface DeedsProps {
  readonly job: ShownJob;
  readonly title: string;
  readonly onChanged: () => unknown;
}

export function Deeds(props: DeedsProps) {
  if (open.value?.id !== props.job.id) return null;
  if (open.value.what === "run") return <RunAgain {...props} />;
  return open.value.what === "tags" ? <Tags {...props} /> : <Tickets {...props} />;
}

/** Runs the job's event again and opens the new job. */
export async function runAgain(job: ShownJob, title: string, params: unknown): Promise<void> {
  const run = () => api.runEvent({ id: job.event ?? "", params: params as Record<string, unknown> });
  const answer = await act(`retry ${job.id}`, { run, done: t("retried", { name: title }) });
  if (!answer?.id) return;
  close();
  await go(`/jobs/${answer.id}`);
}

/** A value as typed into a field: text as it is, everything else as JSON. */
const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function typed(text: string, before: unknown): unknown {
  if (typeof before === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    // Anything that is not JSON is taken as text.
    return text;
  }
}

function RunAgain({ job, title }: DeedsProps) {
  const before = Object.entries((job["params"] as Record<string, unknown> | undefined) ?? {});
  const [values, setValues] = useState(() => Object.fromEntries(before.map(([name, value]) => [name, shown(value)])));
  const params = () => Object.fromEntries(before.map(([name, value]) => [name, typed(values[name] ?? "", value)]));
  return (
    <FormDialog
      title={t("runWith", { name: title })}
      onClose={close}
      onSubmit={() => runAgain(job, title, { ...(job["params"] as object | undefined), ...params() })}
      verb={t("retry")}
    >
      {before.length === 0 && <p class="dim">{t("noParameters")}</p>}
      {before.map(([name]) => (
        <Field key={name} label={name}>
          {(id) => {
            const value = values[name] ?? "";
            const onInput = (text: string): void => setValues({ ...values, [name]: text });
            const isLong = value.length > 60 || value.includes("\n");
            return isLong ? (
              <TextArea id={id} isMono rows={6} value={value} onInput={onInput} />
            ) : (
              <TextInput id={id} isMono value={value} onInput={onInput} />
            );
          }}
        </Field>
      ))}
    </FormDialog>
  );
}

function Tags(props: DeedsProps) {
  const { job, title } = props;
  const [before] = useState(() => ownTags(job));
  const [chosen, setChosen] = useState(before);
  const known = (listed("tags") ?? []).filter(({ id }) => !id.startsWith("_"));
  return (
    <FormDialog
      title={t("tagsOf", { name: title })}
      onClose={close}
      onSubmit={() => tagJob(props, { before, after: chosen })}
      verb={t("setTags")}
    >
      {known.length === 0 && <p class="dim">{t("noTags")}</p>}
      {known.map(({ id, title: name }) => (
        <Check
          key={id}
          value={chosen.includes(id)}
          onInput={(isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((tag) => tag !== id))}
        >
          {name}
        </Check>
      ))}
    </FormDialog>
  );
}

const ticketsOf = ({ tickets }: ShownJob): readonly string[] => (tickets as string[] | undefined) ?? [];

const Tickets = ({ job, title, onChanged }: DeedsProps) => (
  <TicketLinks
    name={title}
    id={job.id}
    linked={ticketsOf(job)}
    onClose={close}
    onChanged={onChanged}
    read={async () => ticketsOf((await api.getJob({ id: job.id })).job as ShownJob)}
    change={(tickets) => api.manageJobTickets({ id: job.id, tickets })}
  />
);

/** True for a job that is delayed until its start time or until another attempt. */
export const isDelayed = ({ state }: ShownJob): boolean => state === "start_delay" || state === "retry_delay";

export const startNow = ({ id }: ShownJob, title: string) =>
  act(`skip ${id}`, { run: () => api.jobSkipDelay({ id }), done: t("startedNow", { name: title }) });

/** Toggles a mail to the viewer when the job ends. */
export const mailMe = ({ id }: ShownJob, title: string) =>
  act(`mail ${id}`, {
    run: () => api.jobToggleNotifyMe({ id }),
    done: ({ enabled }) => t(enabled ? "mailOn" : "mailOff", { name: title }),
    undo: () => api.jobToggleNotifyMe({ id }),
  });

export async function deleteFile(job: ShownJob, { path, filename: name }: { path: string; filename: string }) {
  if (!(await confirm({ title: t("deleteFile", { name }), text: t("deleteFileWhy"), verb: t("delete") }))) return;
  await act(`delete ${path}`, { run: () => api.deleteJobFile({ id: job.id, path }), done: t("fileDeleted", { name }) });
}

/** Creates a ticket about the job and opens it. */
export async function openTicket({ id, code, description }: ShownJob, title: string): Promise<void> {
  const subject = code && description ? `${title}: ${description}` : title;
  const run = () => api.createTicket({ subject, type: "issue", status: "open", template: "job", job: id });
  const answer = await act(`ticket ${id}`, {
    run,
    done: ({ ticket }) => t("ticketMade", { num: `#${ticket.num}`, name: title }),
  });
  if (answer && hasPage(`/tickets/${answer.ticket.num}`)) await go(`/tickets/${answer.ticket.num}`);
}

/** Asks for confirmation, then deletes a finished job permanently. */
export async function deleteJob(job: ShownJob, title: string): Promise<void> {
  const files = Array.isArray(job["files"]) ? (job["files"] as { readonly size?: number }[]) : [];
  const size = files.reduce((sum, file) => sum + (file.size ?? 0), Number(job["log_file_size"] ?? 0));
  const text = t(files.length > 0 ? "deleteWhy" : "deleteLogWhy", { n: files.length, size: bytes(size) });
  const isSure = await confirm({ title: t("deleteSure", { name: title }), text, verb: t("delete") });
  if (!isSure) return;
  const done = await act(`delete ${job.id}`, { run: () => api.deleteJob({ id: job.id }), done: t("deleted") });
  if (done) await go("/jobs");
}

/** Changes the tags that people gave a job, based on the tags when the dialog opened. */
async function tagJob({ job: { id }, title, onChanged }: DeedsProps, change: ListChange): Promise<void> {
  const done = await act(`tag ${id}`, {
    run: () => changeTags(id, change),
    done: t("tagged", { name: title }),
    undo: async (made) => {
      await changeTags(id, reversed(made));
      onChanged();
    },
  });
  if (done === undefined) return;
  close();
  onChanged();
}
