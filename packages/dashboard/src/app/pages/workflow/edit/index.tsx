import { useMemo } from "preact/hooks";
import { useLoad } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { useCrumbs } from "../../../frame/crumbs.ts";
import { Missing } from "../../../frame/gone.tsx";
import { Head } from "../../../parts/basic/basic.tsx";
import { Action } from "../../../parts/basic/button.tsx";
import { href } from "../../../router/router.ts";
import type { PageProps } from "../../page.ts";
import { GraphPanel } from "../graph/panel.tsx";
import { factsOf } from "../graph/states.ts";
import type { WorkflowEvent } from "../index.tsx";
import { t } from "../texts.ts";
import { Inspector } from "./inspector.tsx";
import { Names, Tools } from "./tools.tsx";
import { save, useDraft } from "./use-draft.ts";

const MANUAL = { id: "start", type: "manual", enabled: true };
/** A workflow that does not exist yet: a trigger to begin with. */
const NEW = {
  ...{ id: "", title: "", type: "workflow", category: "general", enabled: true, triggers: [MANUAL] },
  workflow: { nodes: [{ id: "start", type: "trigger", x: 0, y: 0 }], connections: [] },
} as unknown as WorkflowEvent;

/** The editor of a graph; without an id that of a new workflow. */
export function Page({ params: { id } }: PageProps) {
  const loaded = useLoad(`edit ${id ?? ""}`, async () => (id ? (await api.getEvent({ id })).event : NEW));
  const event = loaded.data.value as WorkflowEvent | undefined;
  const title = event?.title || t("new");
  useCrumbs([{ title: t("title"), href: href("/workflows") }, { title }, ...(id ? [{ title: t("edit") }] : [])]);
  // A copy from an earlier visit may be old, and entries made in it would go with it.
  const isFresh = !loaded.isLoading.value && !loaded.error.value;
  if (!event || !isFresh) return <Missing of={loaded} gone={t("gone")} />;
  return <Editor key={`${event.id} ${event.revision}`} event={event} />;
}

function Editor({ event }: { readonly event: WorkflowEvent }) {
  const draft = useDraft(event);
  const facts = useMemo(() => factsOf(undefined, [], {}), []);
  const { graph, title, faults } = draft;
  const actions = (
    <>
      <a class="btn" href={href(event.id ? `/workflows/${event.id}` : "/workflows")}>
        {t("discard")}
      </a>
      <Action
        needs={event.id ? "edit_events" : "create_events"}
        deed={`save ${event.id}`}
        kind="primary"
        isDisabled={!draft.isChanged || title === "" || faults.size > 0}
        run={() => save(event, draft)}
      >
        {t("save")}
      </Action>
    </>
  );
  return (
    <>
      <Head title={title || t("new")} actions={actions} />
      <div class="stack">
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
