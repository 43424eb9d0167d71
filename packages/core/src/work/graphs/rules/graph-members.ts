import * as z from "zod";
import { knownActions, knownLimits } from "../../../wire/entries/entry-members.ts";
import { entriesOf, type Known, knowing } from "../../../wire/schemas/known-members.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { type Shown, shown } from "../../../wire/schemas/shown-members.ts";
import { connectionSchema, type GraphInput, nodeSchema } from "./graph-types.ts";

const namesOf = (known: Known): readonly string[] => [...(known.items?.members?.keys() ?? [])];

/** Members of the data of a node of any type. */
const DATA: readonly string[] = [
  ...["event", "plugin", "category", "params", "targets", "expression", "algo", "tags", "replay", "title", "label"],
  ...["icon", "controller", "stagger", "continue", "repeat", "split", "filter", "chunk", "decision", "abort", "wait"],
  ...["body", "wide", "show"],
  ...namesOf(knownActions),
  ...namesOf(knownLimits),
];

const data: Known = {
  members: new Map(DATA.map((name) => [name, undefined])),
  // Only the plugin knows the members of an action of its type, so they may have any name.
  isData: ({ type }) => typeof type === "string" && type.includes("."),
};

const nodeMembers = new Map<string, Known | undefined>(["id", "type", "x", "y"].map((name) => [name, undefined]));

/** Members of a node (docs/contract/workflows.md#nodes). */
export const knownNodes: Known = {
  items: { members: nodeMembers.set("data", data) },
  entry: { name: "WorkflowNode", schema: nodeSchema },
};

/** Members of a connection (docs/contract/workflows.md#connections). */
export const knownConnections: Known = entriesOf({
  names: ["id", "source", "dest", "condition"],
  entry: { name: "WorkflowConnection", schema: connectionSchema },
});

const loose = () => z.array(z.looseObject({}));

/** The member `workflow` of a written event: typed and described here, and checked by rules with the contract's error texts. */
export const shownGraph = (): Shown<GraphInput> =>
  shown(
    looseObject(() => ({
      start: z.string().optional(),
      nodes: knowing(loose(), knownNodes),
      connections: knowing(loose(), knownConnections),
    })),
  ) as never;
