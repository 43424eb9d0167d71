import { UsesPanel } from "../definitions/editor/one.tsx";
import type { Definition, PartProps, Use } from "../definitions/kind.ts";
import { type Receiver, useReceivers } from "./data.ts";

/** Everything that names a record, with the receivers that tell through it: nobody hears of alerts by these without it. */
export const usesWithReceivers = (usesOf: (row: Definition) => readonly Use[], member: "channel" | "web_hook") =>
  function Uses({ row }: PartProps) {
    const receivers = (useReceivers().data.value ?? []).filter((receiver) => receiver[member] === row.id);
    return <UsesPanel uses={[...usesOf(row), ...receivers.map(useOf)]} />;
  };

const useOf = ({ id, title }: Receiver): Use => ({
  ...{ icon: "mail", title: title || id, href: `/notices/receivers/${id}` },
});
