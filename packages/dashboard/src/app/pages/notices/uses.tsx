import { UsesPanel } from "../definitions/editor/one.tsx";
import type { Definition, PartProps, Use } from "../definitions/kind.ts";
import { type Receiver, useReceivers } from "./data.ts";

/** What uses a channel or web hook, including the receivers that notify through it: without it, they would miss alerts. */
export const usesWithReceivers = (usesOf: (row: Definition) => readonly Use[], member: "channel" | "web_hook") =>
  function Uses({ row }: PartProps) {
    const receivers = (useReceivers().data.value ?? []).filter((receiver) => receiver[member] === row.id);
    return <UsesPanel uses={[...usesOf(row), ...receivers.map(useOf)]} />;
  };

const useOf = ({ id, title }: Receiver): Use => ({
  icon: "mail",
  title: title || id,
  href: `/notices/receivers/${id}`,
});
