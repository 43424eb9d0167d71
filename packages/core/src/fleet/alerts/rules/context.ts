import { aliasesOf } from "../../monitors/rules/evaluate.ts";
import type { HostRecord } from "../../servers/model.ts";

/** What expressions see of a stored minute: the same as when it arrived. */
export const contextOf = ({ data }: Pick<HostRecord, "data">): Readonly<Record<string, unknown>> => ({
  ...aliasesOf(data),
  ...data,
});
