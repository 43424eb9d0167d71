import { useEffect, useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api } from "../../../data/calls/session.ts";
import { useKeys } from "../../../data/keys.ts";
import { listed } from "../../../data/records/lists.ts";
import { confirm } from "../../../parts/basic/dialog.tsx";
import type { MenuItem } from "../../../parts/basic/menu.tsx";
import { guardLeaving } from "../../../router/entries.ts";
import { go, place } from "../../../router/router.ts";
import { t as frame } from "../../../texts/words/frame.ts";
import { layoutOf, type Point } from "../graph/canvas/layout.ts";
import { type Graph, graphOf, type Wire } from "../graph/model.ts";
import { select } from "../graph/panel.tsx";
import type { Editing } from "../graph/props.ts";
import type { WorkflowEvent } from "../index.tsx";
import { t } from "../texts.ts";
import * as changes from "./changes.ts";
import { faultsOf } from "./faults.ts";
import { NEW_NODES, type NewNode } from "./kinds.ts";

const idsOf = (name: "events" | "plugins" | "categories"): ReadonlySet<string> =>
  new Set((listed(name) ?? []).map(({ id }) => id));

function useFaults(graph: Graph, event: WorkflowEvent): ReadonlyMap<string, string> {
  const known = { events: idsOf("events"), plugins: idsOf("plugins"), categories: idsOf("categories") };
  const triggers = new Set((event.triggers ?? []).map((trigger) => String((trigger as { id?: unknown }).id ?? "")));
  // Reports no faults until the lists are loaded.
  if (!listed("events") || !listed("plugins") || !listed("categories")) return new Map();
  const found = faultsOf(graph, { own: event.id, triggers, ...known });
  return new Map(found.map(({ node, text, about }) => [node, t(text, { about })]));
}

function useGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const question = { title: frame("leave"), text: frame("leaveWhy"), verb: frame("leaveYes") };
    return guardLeaving(() => confirm(question));
  }, [isChanged]);
}

/** A free position at the end of a graph: below the last column, or in a new one if that is full. */
function freePlace(points: ReadonlyMap<string, Point>): Point {
  const all = [...points.values()];
  const right = Math.max(0, ...all.map(({ x }) => x));
  const column = all.filter(({ x }) => x === right).map(({ y }) => y);
  return column.length > 3 ? { x: right + 280, y: 0 } : { x: right, y: Math.max(-84, ...column) + 84 };
}

/** Functions that add a node: after the selected one with a wire to it, or into a wire. */
function additionsTo(graph: Graph, set: (next: Graph) => void) {
  const points = layoutOf(graph);
  const placed = changes.placeNodes(graph, points);
  const put = (made: ReturnType<typeof changes.addNode>): void => {
    set(made.graph);
    select(made.id);
  };
  return {
    add({ type, data }: NewNode): void {
      const chosen = placed.nodes.find(({ id }) => id === place.peek().query["node"]);
      const node = { type, data };
      put(chosen ? changes.addBehind(placed, chosen, node) : changes.addNode(placed, node, freePlace(points)));
    },
    between: (wire: Wire): readonly MenuItem[] =>
      NEW_NODES.filter(({ type }) => changes.isBetween(type)).map(({ title, type, data }) => ({
        title: title(),
        run: () => put(changes.addBetween(placed, wire, { type, data })),
      })),
  };
}

/** A workflow being edited. Nothing is stored until it is saved. */
export function useDraft(event: WorkflowEvent) {
  const [history, setHistory] = useState(() => changes.begin(graphOf(event.workflow)));
  const [title, setTitle] = useState(event.title);
  const [category, setCategory] = useState(event.category ?? "general");
  const [from, setFrom] = useState<string>();
  const graph = history.present;
  const faults = useFaults(graph, event);
  const isChanged = history.past.length > 0 || title !== event.title || category !== event.category;
  useGuard(isChanged);
  const set = (next: Graph): void => setHistory((known) => changes.change(known, next));
  const undo = (): void => setHistory(changes.undo);
  const redo = (): void => setHistory(changes.redo);
  useGraphKeys({ graph, set, undo, redo, from, setFrom });
  const { add, between } = additionsTo(graph, set);
  const editing: Editing = {
    faults,
    from,
    between,
    begin: setFrom,
    connect(source, dest) {
      setFrom(undefined);
      set(changes.connect(graph, source, dest));
    },
    move: (id, to) => set(changes.placeNodes(graph, new Map<string, Point>([...layoutOf(graph), [id, to]]))),
  };
  const names = { title, setTitle, category, setCategory };
  /** Takes over rebased entries. A changed graph becomes one undo step. */
  const take = (next: Edited): void => {
    setTitle(next.title);
    setCategory(next.category);
    if (JSON.stringify(next.workflow) !== JSON.stringify(graph)) set(next.workflow);
  };
  return { ...names, take, add, graph, set, undo, redo, faults, history, from, editing, isChanged };
}
export type Draft = ReturnType<typeof useDraft>;

interface Keys extends Pick<Draft, "graph" | "set" | "undo" | "redo" | "from"> {
  readonly setFrom: (id: string | undefined) => void;
}

const focused = (): string | undefined => (document.activeElement as HTMLElement | null)?.dataset["node"];

/** Shortcuts: c starts a wire at the focused or selected node, Delete removes the node, and the usual keys undo and redo. */
function useGraphKeys({ graph, set, undo, redo, from, setFrom }: Keys): void {
  const selected = graph.nodes.find(({ id }) => id === place.value.query["node"]);
  const remove = (): void => {
    if (selected && selected.type !== "trigger") set(changes.removeNode(graph, selected.id));
  };
  useKeys({
    "mod+z": undo,
    "mod+y": redo,
    Delete: remove,
    Backspace: remove,
    c: () => setFrom(focused() ?? selected?.id),
    ...(from ? { Escape: () => setFrom(undefined) } : {}),
  });
}

/** Members of a workflow that the editor changes. */
export interface Edited {
  readonly title: string;
  readonly category: string;
  readonly workflow: Graph;
}

export const editedOf = ({ title, category = "general", workflow }: WorkflowEvent): Edited => ({
  title,
  category,
  workflow: graphOf(workflow),
});

/** Saves the workflow, based on the revision that editing began with, and opens its page. Resolves to false if refused. */
export async function save(event: WorkflowEvent, more: Edited): Promise<boolean> {
  const { id, revision } = event;
  const write = () =>
    api.updateEvent({ id, if_revision: revision, ...more } as unknown as Parameters<typeof api.updateEvent>[0]);
  const create = () =>
    api.createEvent({ ...event, id: undefined, ...more } as unknown as Parameters<typeof api.createEvent>[0]);
  const saved = await act(`save ${id}`, { run: id ? write : create, done: t("saved", { name: more.title }) });
  if (!saved) return false;
  guardLeaving(async () => true);
  await go(`/workflows/${saved.event.id}`);
  return true;
}
