import { SignalboxError } from "@signalbox/client";
import { asError } from "../../../data/calls/load.ts";
import { api } from "../../../data/calls/session.ts";
import { carried, type ListChange, reversed } from "../../../data/records/carried.ts";
import type { Ticket } from "../../tickets/query/values.ts";
import { t } from "../texts.ts";

/** Members that can be changed in place. */
export type Editable = "status" | "type" | "category" | "assignees" | "due" | "tags" | "server" | "cc" | "notify";
export type Values = Pick<Ticket, Editable>;
type Member = { readonly id: string; readonly name: Editable };

/** A change that was made, with its undo. */
export interface Made {
  readonly ticket: Ticket;
  /** Undoes the change, keeping what others have changed since. */
  takeBack(): Promise<Ticket>;
}

const read = async (id: string): Promise<Ticket> => (await api.getTicket({ id })).ticket;

/** Writes members that were computed from a ticket. The server refuses if somebody else has saved it in between. */
async function write({ id, revision }: Ticket, members: object): Promise<Ticket> {
  const known = revision === undefined ? {} : { if_revision: revision };
  return (await api.updateTicket({ id, ...members, ...known })).ticket;
}

const CONFLICT = 409;
const MOST_TRIES = 5;

async function changeList({ id, name }: Member, change: ListChange, tries = MOST_TRIES): Promise<Made> {
  const now = await read(id);
  const before = (now[name] ?? []) as readonly string[];
  const after = carried(change, before);
  try {
    const ticket = await write(now, { [name]: after });
    const takeBack = async (): Promise<Ticket> => (await changeList({ id, name }, reversed({ before, after }))).ticket;
    return { ticket, takeBack };
  } catch (reason) {
    // The ticket was saved after it was read: applies the same change to its current state.
    if (asError(reason).status !== CONFLICT || tries <= 1) throw reason;
    return changeList({ id, name }, change, tries - 1);
  }
}

async function changeValue({ id, name }: Member, before: unknown, value: unknown): Promise<Made> {
  const { ticket } = await api.updateTicket({ id, [name]: value });
  return {
    ticket,
    async takeBack() {
      const now = await read(id);
      if (now[name] !== ticket[name]) throw new SignalboxError("page", t("changedSince", { member: t(name) }));
      return write(now, { [name]: before ?? "" });
    },
  };
}

/** Changes one member from its displayed value. For a list, only the added and removed entries are applied to the stored list. */
export const changeMember = (
  shown: Pick<Ticket, "id"> & Partial<Values>,
  name: Editable,
  value: unknown,
): Promise<Made> => {
  const member = { id: shown.id, name };
  const before = shown[name];
  return Array.isArray(value)
    ? changeList(member, { before: (before ?? []) as readonly string[], after: value as readonly string[] })
    : changeValue(member, before, value);
};
