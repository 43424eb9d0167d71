import { useEffect, useMemo, useState } from "preact/hooks";
import { useLoad } from "../../../data/calls/load.ts";
import { api, can } from "../../../data/calls/session.ts";
import { useDeleted } from "../../../data/entered.ts";
import { listedOne } from "../../../data/records/lists.ts";
import { useCrumbs } from "../../../frame/crumbs.ts";
import { Deleted, Missing, Refused } from "../../../frame/gone.tsx";
import { Head } from "../../../parts/basic/basic.tsx";
import { Action } from "../../../parts/basic/button.tsx";
import { Conflict } from "../../../parts/difference/conflict.tsx";
import { areAtOdds, rebased } from "../../../parts/difference/rebased.ts";
import { href } from "../../../router/router.ts";
import type { PageProps } from "../../page.ts";
import { GraphPanel } from "../graph/panel.tsx";
import { factsOf } from "../graph/states.ts";
import type { WorkflowEvent } from "../index.tsx";
import { t } from "../texts.ts";
import { Inspector } from "./inspector.tsx";
import { Names, Tools } from "./tools.tsx";
import { type Draft, type Edited, editedOf, save, useDraft } from "./use-draft.ts";

const MANUAL = { id: "start", type: "manual", enabled: true };
/** A new workflow, which begins with a manual trigger. */
const NEW = {
  id: "",
  title: "",
  type: "workflow",
  category: "general",
  enabled: true,
  triggers: [MANUAL],
  workflow: { nodes: [{ id: "start", type: "trigger", x: 0, y: 0 }], connections: [] },
} as unknown as WorkflowEvent;

/** The graph editor. Without an id it edits a new workflow. */
export function Page({ params: { id } }: PageProps) {
  const loaded = useLoad(`edit ${id ?? ""}`, async () => (id ? (await api.getEvent({ id })).event : NEW));
  const event = loaded.data.value as WorkflowEvent | undefined;
  const mayEdit = can(id ? "edit_events" : "create_events");
  const title = event?.title || t("create");
  const own = id ? [{ title, href: href(`/workflows/${id}`) }, { title: t("edit") }] : [{ title }];
  useCrumbs([{ title: t("title"), href: href("/workflows") }, ...own]);
  // Waits for a fresh answer: a cached copy may be outdated, and replacing it would discard entries made in it.
  const isFresh = !loaded.isLoading.value && !loaded.error.value;
  if (!mayEdit) return <Refused why={t("mayNot")} />;
  if (!event || !isFresh) return <Missing of={loaded} gone={t("gone")} />;
  return <Editor key={`${event.id} ${event.revision}`} event={event} onTake={(theirs) => loaded.set(theirs)} />;
}

interface EditorProps {
  readonly event: WorkflowEvent;
  /** Starts over with what somebody else has saved. */
  readonly onTake: (theirs: WorkflowEvent) => void;
}

const LABELS = { title: "name", category: "category", workflow: "graph" } as const;
const nameOf = (member: keyof Edited): string => t(LABELS[member]);

/** Saves the draft. If somebody else has saved since it was begun, shows both versions with a choice. */
function useSave({ event, onTake }: EditorProps, draft: Draft) {
  /** The stored event that the draft is based on. */
  const [over, setOver] = useState(event);
  const [answer, setAnswer] = useState<WorkflowEvent>();
  const { id, revision = 0 } = over;
  const isNewer = (one: WorkflowEvent | undefined): boolean => (one?.revision ?? 0) > revision;
  const theirs = [answer, listedOne("events", id) as WorkflowEvent | undefined].find(isNewer);
  const mine: Edited = { title: draft.title, category: draft.category, workflow: draft.graph };
  const saveMine = async (): Promise<void> => {
    if ((await save(over, mine)) || !id) return;
    const newest = await api.getEvent({ id }).catch(() => undefined);
    setAnswer(newest?.event as WorkflowEvent | undefined);
  };
  const goOn = (next: Edited, isKeeping: boolean): void => {
    if (theirs && !isKeeping) onTake(theirs);
    draft.take(next);
    setOver(theirs ?? over);
  };
  const versions = theirs && { base: editedOf(over), theirs: editedOf(theirs), mine };
  const isAsked = versions !== undefined && areAtOdds(versions.base, mine, versions.theirs);
  useEffect(() => {
    // Rebases automatically if the viewer changed nothing, or if only other members of the event changed.
    if (versions && !isAsked) goOn(rebased(versions.base, mine, versions.theirs), draft.isChanged);
  }, [theirs, isAsked]);
  const conflict = versions && isAsked && <Conflict {...versions} nameOf={nameOf} goOn={goOn} />;
  return { conflict, saveMine };
}

function Editor(props: EditorProps) {
  const { event } = props;
  const draft = useDraft(event);
  const isDeleted = useDeleted(listedOne("events", event.id));
  const { conflict, saveMine } = useSave(props, draft);
  const facts = useMemo(() => factsOf(undefined, [], {}), []);
  const { graph, title, faults } = draft;
  return (
    <>
      <Head title={title || t("create")} actions={<Deeds event={event} draft={draft} saveMine={saveMine} />} />
      {isDeleted && <Deleted />}
      <div class="stack">
        {conflict}
        <Names draft={draft} />
        <GraphPanel
          graph={graph}
          facts={facts}
          triggers={event.triggers ?? []}
          name={title}
          editing={draft.editing}
          tools={<Tools draft={draft} />}
          aside={(node, close) => (
            <Inspector graph={graph} node={node} fault={faults.get(node.id)} onChange={draft.set} onClose={close} />
          )}
        />
      </div>
    </>
  );
}

interface DeedsProps {
  readonly event: WorkflowEvent;
  readonly draft: Draft;
  readonly saveMine: () => Promise<void>;
}

const Deeds = ({ event: { id }, draft: { isChanged, title, faults }, saveMine }: DeedsProps) => (
  <>
    <a class="btn" href={href(id ? `/workflows/${id}` : "/workflows")}>
      {t("discard")}
    </a>
    <Action
      needs={id ? "edit_events" : "create_events"}
      deed={`save ${id}`}
      kind="primary"
      isDisabled={!isChanged || title === "" || faults.size > 0}
      run={saveMine}
    >
      {t(id ? "save" : "create")}
    </Action>
  </>
);
