import * as z from "zod";
import { looseObject } from "../../wire/schemas/objects.ts";
import { shown } from "../../wire/schemas/shown-members.ts";
import { TransferItems } from "./rules/items.ts";

/** Title of the internal job that imports data. */
export const IMPORT_TITLE = "Data import";

const names = (what: string) =>
  shown(z.union([z.array(z.string()), z.literal("all")]).describe(`Names of ${what}, or \`all\`.`));

/** What to export: names, `all`, or single items (docs/contract/transfer.md#export). */
export const ExportOrder = looseObject(() => ({
  lists: names("lists"),
  indexes: names("tables"),
  extras: names("extras"),
  items: shown(TransferItems.describe("Instead of the names.")),
}));
export type ExportOrder = Readonly<Partial<Record<"lists" | "indexes" | "extras" | "items", unknown>>>;

/** The caller who requested a token. The caller's rights are looked up again when the token is used. */
export interface TokenCaller {
  readonly kind: "system" | "user" | "host" | "key" | "anonymous";
  readonly id: string;
  readonly title: string;
  readonly privileges: Readonly<Record<string, true>>;
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}

/** Permission for one transfer with the rights of the caller who requested it. The id is the hash of the token. */
export type TransferToken = {
  id: string;
  readonly caller: TokenCaller;
  readonly order: Readonly<Record<string, unknown>>;
  /** Unix seconds. */
  readonly expires: number;
};

/** Format of an imported file: a backup of xyOps, or of Cronicle. */
export const ImportFormat = z.enum(["xyops", "cronicle"]);
export type ImportFormat = z.infer<typeof ImportFormat>;
