import type { ComponentType } from "preact";
import { api } from "../../data/calls/session.ts";
import type { IconName } from "../../parts/basic/icon.tsx";
import type { Choice } from "../../parts/forms/fields.tsx";
import type { Column } from "../../parts/lists/table.tsx";

/** Members that all definitions have. Other members depend on the kind. */
export interface Definition {
  readonly id: string;
  readonly title: string;
  readonly enabled?: unknown;
  readonly revision?: number | undefined;
  readonly [member: string]: unknown;
}

export type Values = Readonly<Record<string, unknown>>;

/** A member of a definition, and how it is edited. */
export interface DefinitionField {
  readonly member: string;
  label(): string;
  help?(): string;
  /** "span" is seconds, entered with a unit. */
  readonly kind: "text" | "area" | "code" | "number" | "span" | "check" | "select" | "picks" | "own";
  /** For "select" and "picks". */
  choices?(values: Values): readonly Choice[];
  /** Default: the value of a record without the member. */
  readonly usual?: unknown;
  /** "picks" accepts values that are not in the choices. */
  readonly isFree?: boolean;
  readonly isRequired?: boolean;
  /** Entered only in a new record; never changes afterwards. */
  readonly isFixed?: boolean;
  /** The field is shown only for these values. */
  when?(values: Values): boolean;
  /** A password, or values of a secret: never shown outside its own field. */
  readonly isSealed?: boolean;
  /** For "own". */
  readonly Control?: ComponentType<ControlProps>;
}

export interface ControlProps {
  readonly id: string;
  readonly value: unknown;
  readonly onInput: (value: unknown) => void;
  readonly isDisabled: boolean;
  readonly values: Values;
}

/** Props of a part of a definition's page. `values` are the current values in the editor, saved or not. */
export interface PartProps {
  readonly row: Definition;
  readonly values: Values;
}

/** A record that uses a definition. */
export interface Use {
  readonly icon: IconName;
  readonly title: string;
  readonly href: string;
  /** How it uses it, in words: "through the category Billing". */
  readonly note?: string | undefined;
}

/** A kind of definitions: everything that its list, editor and history need. */
export interface Kind {
  /** Relative to the mount: `/tags`. */
  readonly path: string;
  readonly icon: IconName;
  texts(): {
    readonly title: string;
    /** "Create tag": label of the buttons and title of the form. */
    readonly create: string;
    /** Text of an empty list: what it would contain, and what for. */
    readonly empty: string;
    /** One sentence that sums up the list. */
    readonly summary?: string | undefined;
  };
  /** Warning about everything that is deleted together with the record. */
  removal(row: Definition): string;
  /** Viewers with a limited reach see only some of its records. */
  readonly isReached?: boolean;
  /** Deleting requires typing the record's name. */
  readonly isTyped?: boolean;
  /** A hook: reads signals or loads from the server. Call it on every render. */
  useRows(): readonly Definition[] | undefined;
  readonly needs: { readonly create: string; readonly edit: string; readonly remove: string };
  readonly columns: readonly Column<Definition>[];
  /** Initial sort of the list; default "title". */
  readonly order?: string;
  readonly fields: readonly DefinitionField[];
  /** Values of a new record. */
  draft(): Values;
  create(values: Values): Promise<string | undefined>;
  update(id: string, values: Values): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  /** Source of its history: the type for the search, and the member of the result rows that holds the record. */
  readonly history?: { readonly type: string; readonly member: string };
  uses?(row: Definition): readonly Use[];
  /** Replaces the list of uses. */
  readonly Uses?: ComponentType<PartProps>;
  /** Below the editor. */
  readonly Main?: ComponentType<PartProps>;
  /** The record's current state: beside the editor, or above it on narrow screens. */
  readonly Lead?: ComponentType<PartProps>;
  /** Beside the editor. */
  readonly Side?: ComponentType<PartProps>;
  /** Above the list: tabs between kinds that share one page. */
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
 * The create, update and remove calls that all stored definitions share. They send the form's values, and the server
 * validates them.
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
