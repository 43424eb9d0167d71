import type { api } from "../../data/calls/session.ts";
import { type Definition, missing } from "../../parts/params/definitions.ts";
import type { Event } from "../events/deeds.ts";

type Update = Parameters<typeof api.updateEvent>[0];
type Create = Parameters<typeof api.createEvent>[0];

/** An event as edited: all members of the record, including those without a field. A new event has no id. */
export type Draft = Event;
/** Changes members of the draft, to given values or by a function of the draft at that moment. */
export type Change = (part: Partial<Draft> | ((current: Draft) => Partial<Draft>)) => void;

/** Initial members of a new event. It is disabled, so that it can be tried first. */
export const emptyDraft = (category: string, plugin: string): Draft =>
  ({
    id: "",
    title: "",
    enabled: false,
    category,
    plugin,
    params: {},
    fields: [],
    tags: [],
    targets: [],
    algo: "random",
    triggers: [{ type: "manual", enabled: true }],
    limits: [],
    actions: [],
    notes: "",
  }) as unknown as Draft;

const STAMPS: ReadonlySet<string> = new Set(["id", "username", "created", "modified", "revision"]);

/** Members that differ from the record that the edit is based on. */
export function changedMembers(
  base: Readonly<Record<string, unknown>>,
  draft: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const changed = Object.entries(draft).filter(
    ([name, value]) => !STAMPS.has(name) && JSON.stringify(value) !== JSON.stringify(base[name]),
  );
  return Object.fromEntries(changed);
}

/** The update: only the changed members, with the revision that they are based on. */
export const toUpdate = (base: Event, draft: Draft): Update =>
  ({ ...changedMembers(base, draft), id: base.id, if_revision: base.revision }) as unknown as Update;

export function toCreate(draft: Draft): Create {
  const { id: _none, ...members } = draft as Draft & Readonly<Record<string, unknown>>;
  return members as unknown as Create;
}

const ofParameter = (id: string): string => `params.${id}`;

/** Required members and required plugin parameters that are still missing. */
export const absent = ({ title, targets, type, params }: Draft, asked: readonly Definition[]): readonly string[] => [
  ...(title.trim() === "" ? ["title"] : []),
  ...(targets.length === 0 && type !== "workflow" ? ["targets"] : []),
  ...(type === "workflow" ? [] : missing(asked, params ?? {}).map(ofParameter)),
];

/** Ids of the plugin parameters among the missing members. */
export const absentParameters = (members: readonly string[], asked: readonly Definition[]): readonly string[] =>
  asked.map(({ id }) => id).filter((id) => members.includes(ofParameter(id)));

/** Members that a test run takes from the unsaved draft. */
const TRIED = ["params", "targets", "algo", "expression", "limits", "actions", "tags"] as const;

export function toTest(base: Event, draft: Draft): Readonly<Record<string, unknown>> {
  const changed = changedMembers(base, draft);
  return Object.fromEntries(TRIED.filter((name) => name in changed).map((name) => [name, changed[name]]));
}
