import type { ComponentType } from "preact";
import { api } from "../../data/calls/session.ts";
import type { IconName } from "../../parts/basic/icon.tsx";
import type { Choice } from "../../parts/forms/fields.tsx";
import type { Column } from "../../parts/lists/table.tsx";

/** Members that all definitions have; anything else depends on the kind. */
export interface Definition {
  readonly id: string;
  readonly title: string;
  readonly enabled?: unknown;
  readonly revision?: number | undefined;
  readonly [member: string]: unknown;
}

export type Values = Readonly<Record<string, unknown>>;

/** A member of a definition, and how it is entered. */
export interface DefinitionField {
  readonly member: string;
  label(): string;
  help?(): string;
  /** "span" is seconds, entered with their unit. */
  readonly kind: "text" | "area" | "code" | "number" | "span" | "check" | "select" | "picks" | "own";
  /** Of "select" and "picks". */
  choices?(values: Values): readonly Choice[];
  /** Value that a record without the member has. */
  readonly usual?: unknown;
  /** Anything may be entered in "picks". */
  readonly isFree?: boolean;
  readonly isRequired?: boolean;
  /** Only while it is made; it never changes. */
  readonly isFixed?: boolean;
  /** Shown for these values alone. */
  when?(values: Values): boolean;
  /** A password, or values of a secret: shown nowhere but in its own field. */
  readonly isSealed?: boolean;
  /** Of "own". */
  readonly Control?: ComponentType<ControlProps>;
}

export interface ControlProps {
  readonly id: string;
  readonly value: unknown;
  readonly onInput: (value: unknown) => void;
  readonly isDisabled: boolean;
  readonly values: Values;
}

/** A part of the page of one definition. `values` are those in the editor, saved or not. */
export interface PartProps {
  readonly row: Definition;
  readonly values: Values;
}

/** Something that names a definition. */
export interface Use {
  readonly icon: IconName;
  readonly title: string;
  readonly href: string;
  /** Reason in words: "through the category Billing". */
  readonly note?: string | undefined;
}

/** A kind of definitions: all that its list, its editor and its history need to know. */
export interface Kind {
  /** Below the mount: `/tags`. */
  readonly path: string;
  readonly icon: IconName;
  texts(): {
    readonly title: string;
    /** "Create tag": on the buttons, and over the form. */
    readonly create: string;
    /** Text of an empty list: what it would hold, and its use. */
    readonly empty: string;
    /** One sentence that answers the page's question. */
    readonly summary?: string | undefined;
  };
  /** Text about everything that goes with the record when it is removed. */
  removal(row: Definition): string;
  /** Viewers who are limited see some of its records alone. */
  readonly isReached?: boolean;
  /** Its name must be typed before it is removed. */
  readonly isTyped?: boolean;
  /** Reads signals or asks the server: called in a component, always. */
  useRows(): readonly Definition[] | undefined;
  readonly needs: { readonly create: string; readonly edit: string; readonly remove: string };
  readonly columns: readonly Column<Definition>[];
  /** The order in which the list begins; default "title". */
  readonly order?: string;
  readonly fields: readonly DefinitionField[];
  /** Values of a new one. */
  draft(): Values;
  create(values: Values): Promise<string | undefined>;
  update(id: string, values: Values): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  /** Source of its history: the type of the search, and the member of its rows that holds the record. */
  readonly history?: { readonly type: string; readonly member: string };
  uses?(row: Definition): readonly Use[];
  /** Instead of the list of uses. */
  readonly Uses?: ComponentType<PartProps>;
  /** Below the editor. */
  readonly Main?: ComponentType<PartProps>;
  /** Its present state: beside the editor, and above it where there is no room beside. */
  readonly Lead?: ComponentType<PartProps>;
  /** Beside the editor. */
  readonly Side?: ComponentType<PartProps>;
  /** Above the list: tabs between kinds that stand on one page. */
  readonly Above?: ComponentType;
}

type Singular =
  | "Tag"
  | "Category"
  | "Channel"
  | "WebHook"
  | "Plugin"
  | "Secret"
  | "Bucket"
  | "Role"
  | "Route"
  | "Receiver"
  | "Rota"
  | "Check"
  | "Heartbeat";
type Call = (input: Values) => Promise<Readonly<Record<string, Definition | undefined>>>;

/**
 * The three calls that all stored definitions have. They send what the form holds, and the server judges it. `after`: for
 * kinds that the channel does not tell of.
 */
export const callsOf = (name: Singular, answer: string): Pick<Kind, "create" | "update" | "remove"> => ({
  async create(values) {
    const made = await (api[`create${name}`] as unknown as Call)(values);
    return made[answer]?.id;
  },
  async update(id, values) {
    await (api[`update${name}`] as unknown as Call)({ ...values, id });
  },
  async remove(id) {
    await api[`delete${name}`]({ id });
  },
});

export const needsOf = (names: string): Kind["needs"] => ({
  create: `create_${names}`,
  edit: `edit_${names}`,
  remove: `delete_${names}`,
});
export const ADMIN: Kind["needs"] = { create: "admin", edit: "admin", remove: "admin" };
