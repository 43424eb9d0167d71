import { aliasesOf } from "../../../monitors/rules/readings/evaluate.ts";
import type { HostRecord } from "../../../servers/model.ts";

/** Values of a stored minute that expressions read, the same as when it arrived. */
export const contextOf = ({ data }: Pick<HostRecord, "data">): Readonly<Record<string, unknown>> => ({
  ...aliasesOf(data),
  ...data,
});
