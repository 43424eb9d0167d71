import type { Cradle } from "../../kernel/container.ts";
import type { User } from "./model.ts";
import { userRecords } from "./records.ts";
import { userKey } from "./rules/account.ts";

/** Active users among the names; skips unknown ones. */
export const activeUsers = ({ definitions }: Pick<Cradle, "definitions">, names: readonly string[]): User[] =>
  names.flatMap((name) => definitions.get(userRecords, userKey(name)) ?? []).filter(({ active }) => active);
