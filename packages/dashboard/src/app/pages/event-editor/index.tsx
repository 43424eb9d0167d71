import { useState } from "preact/hooks";
import { act, isUnderWay } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { useKept } from "../../data/entered.ts";
import { listed, listedOne } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Deleted, Gone, Refused } from "../../frame/gone.tsx";
import { Head } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { Outline } from "../../parts/basic/states.tsx";
import { Conflict } from "../../parts/difference/conflict.tsx";
import { toFirstFault } from "../../parts/first-fault.ts";
import { useUnsaved } from "../../parts/forms/unsaved.ts";
import { go, href } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
import type { Event } from "../events/deeds.ts";
import type { PageProps } from "../page.ts";
import { absent, type Change, changedMembers, type Draft, emptyDraft, toCreate, toTest, toUpdate } from "./draft.ts";
import { askedBy, Form } from "./form/form.tsx";
import { t } from "./texts.ts";

/** The editor of a new or an existing event. */
export function Page({ params: { id = "" } }: PageProps) {
  const stored = listedOne("events", id);
  const event = useKept(id, stored);
  const title = id ? (event?.title ?? id) : t("create");
  const own = id ? [{ title, href: href(`/events/${id}`) }, { title: t("edit") }] : [{ title }];
  useCrumbs([{ title: t("events"), href: href("/events") }, ...own]);
  const isThere = [listed("events"), listed("categories"), listed("plugins")].every(Boolean);
  if (!isThere) return <Outline rows={10} />;
  if (id && !event) return <Gone>{t("gone", { id })}</Gone>;
  if (!can(id ? "edit_events" : "create_events")) return <Refused why={t("mayNot")} />;
  return (
    <>
      {id && !stored && <Deleted />}
      <Editor key={id} event={event} />
    </>
  );
}

/** Draft of a new event with the first category and a plugin that runs on servers. */
function blank(): Draft {
  const plugin = listed("plugins")?.find(({ type }) => type === "event")?.id ?? "";
  return emptyDraft(listed("categories")?.[0]?.id ?? "", plugin);
}

function useDraft(event: Event | undefined) {
  const [start] = useState<Draft>(() => event ?? blank());
  /** The event when editing began; undefined for a new one. */
  const [base, setBase] = useState(event);
  const [draft, setDraft] = useState(start);
  const changed = changedMembers(base ?? start, draft);
  return {
    base,
    draft,
    changed: Object.keys(changed),
    change: ((part) =>
      setDraft((current) => ({ ...current, ...(typeof part === "function" ? part(current) : part) }))) as Change,
    /** Rebases the draft on what somebody else has saved. */
    goOn(theirs: Event, next: Draft): void {
      setDraft(next);
      setBase(theirs);
    },
  };
}

function Editor({ event }: { readonly event: Event | undefined }) {
  const { base, draft, changed, change, goOn } = useDraft(event);
  const [isTried, setTried] = useState(false);
  const leave = useUnsaved(changed.length > 0);
  const missing = absent(draft, askedBy(draft));
  const save = async (form: HTMLElement): Promise<void> => {
    setTried(true);
    if (missing.length > 0) return toFirstFault(form);
    const answer = await put(base, draft);
    if (!answer) return;
    leave();
    await go(`/events/${answer.event.id}`);
  };
  const isStale = base && event && event.revision !== base.revision;
  return (
    <form
      class="editor"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void save(submitted.currentTarget);
      }}
    >
      <Head title={base ? t("editNamed", { name: base.title }) : t("create")} />
      {isStale && <Conflict base={base} theirs={event} mine={draft} goOn={(next) => goOn(event, next)} />}
      <Form draft={draft} change={change} missing={isTried ? missing : []} />
      <Foot base={base} draft={draft} changed={changed} />
    </form>
  );
}

const keyOf = ({ id }: Draft): string => `save ${id}`;

/** Updates or creates an event, and shows the server's warnings. */
const put = (base: Event | undefined, draft: Draft) =>
  act(keyOf(draft), {
    run: () => (base ? api.updateEvent(toUpdate(base, draft)) : api.createEvent(toCreate(draft))),
    done: ({ warnings = [] }) => [t("saved", { name: draft.title }), ...warnings].join(" "),
  });

interface FootProps {
  readonly base: Event | undefined;
  readonly draft: Draft;
  readonly changed: readonly string[];
}

/** Lists the unsaved changes, with the save button. */
const Foot = ({ base, draft, changed }: FootProps) => (
  <div class="foot">
    <Button
      type="submit"
      kind="primary"
      isDisabled={base !== undefined && changed.length === 0}
      isBusy={isUnderWay(keyOf(draft))}
    >
      {t(base ? "save" : "create")}
    </Button>
    {base && (
      <Action needs="run_jobs" deed={`test ${base.id}`} icon="play" run={() => test(base, draft)}>
        {t("test")}
      </Action>
    )}
    <a class="btn" href={href(base ? `/events/${base.id}` : "/events")}>
      {frame("cancel")}
    </a>
    <span class="dim xs changes" role="status">
      {base && (changed.length > 0 ? t("changes", { names: changed.join(", ") }) : t("noChanges"))}
    </span>
  </div>
);

/** Runs the draft without saving it. */
async function test(base: Event, draft: Draft): Promise<void> {
  const input = { id: base.id, test: true, ...toTest(base, draft) } as Parameters<typeof api.runEvent>[0];
  const answer = await act(`test ${base.id}`, {
    run: () => api.runEvent(input),
    done: t("tested", { name: draft.title }),
  });
  if (answer?.id) window.open(href(`/jobs/${answer.id}`), "_blank", "noopener");
}
