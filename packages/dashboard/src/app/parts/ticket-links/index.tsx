import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { asError, useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { carried, type ListChange, reversed } from "../../data/records/carried.ts";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { t as common } from "../../texts/words/common.ts";
import { Button } from "../basic/button.tsx";
import { Field, TextInput } from "../forms/fields.tsx";
import { FormDialog } from "../forms/form-dialog.tsx";
import { t } from "./texts.ts";

interface TicketLinksProps {
  /** Name of the record that tickets are linked to. */
  readonly name: string;
  readonly id: string;
  /** Ids of the linked tickets. */
  readonly linked: readonly string[];
  /** Reads the current links. */
  readonly read: () => Promise<readonly string[]>;
  /** Replaces the links. */
  readonly change: (tickets: string[]) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
}

interface Named {
  readonly id: string;
  readonly num: number;
  readonly subject: string;
}

/** Tickets by their ids, without deleted ones and ones that the viewer may not see. */
export async function readTickets(ids: readonly string[], signal: AbortSignal): Promise<readonly Named[]> {
  if (ids.length === 0) return [];
  const { tickets } = await api.getTickets({ ids: [...ids] }, { signal });
  return (tickets as readonly Partial<Named>[]).filter((ticket): ticket is Named => ticket.id !== undefined);
}

/** Links a record with existing tickets, and removes links. */
export function TicketLinks(props: TicketLinksProps) {
  const { name, id, linked, onClose } = props;
  const [number, setNumber] = useState("");
  const [fault, setFault] = useState<string>();
  const known = useLoad(`linked ${id} ${linked.join()}`, (signal) => readTickets(linked, signal));
  const add = async (): Promise<void> => {
    const num = number.replace("#", "");
    try {
      const [ticket] = (await api.searchTickets({ query: `num:=${num}`, limit: 1, compact: true })).rows;
      if (!ticket) return setFault(t("none", { num: number }));
      if (await put(props, { before: [], after: [ticket.id] }, t("added", { name, num }))) onClose();
    } catch (reason) {
      setFault(asError(reason).message);
    }
  };
  return (
    <FormDialog
      title={t("for", { name })}
      onClose={onClose}
      onSubmit={add}
      verb={t("add")}
      isReady={/^#?\d+$/.test(number)}
    >
      <Linked
        tickets={known.data.value ?? []}
        onRemove={(ticket) =>
          put(props, { before: [ticket.id], after: [] }, t("removed", { name, num: String(ticket.num) }))
        }
      />
      <Field label={t("number")} error={fault}>
        {(field, about) => <TextInput id={field} describedBy={about} value={number} onInput={setNumber} />}
      </Field>
    </FormDialog>
  );
}

interface LinkedProps {
  readonly tickets: readonly Named[];
  readonly onRemove: (ticket: Named) => unknown;
}

function Linked({ tickets, onRemove }: LinkedProps) {
  if (tickets.length === 0) return null;
  return (
    <section aria-label={t("so")}>
      <h3>{t("so")}</h3>
      <ul class="linked">
        {tickets.map((ticket) => {
          const title = `#${ticket.num} ${ticket.subject}`;
          const path = `/tickets/${ticket.id}`;
          return (
            <li key={ticket.id}>
              {hasPage(path) ? (
                <a class="cut grow" href={href(path)} dir="auto">
                  {title}
                </a>
              ) : (
                <span class="cut grow" dir="auto">
                  {title}
                </span>
              )}
              <Button
                kind="bare"
                icon="x"
                label={common("removeNamed", { name: title })}
                onClick={() => onRemove(ticket)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Applies a change to the current links, so that links that others made stay; undefined when it fails. */
async function put(props: TicketLinksProps, wanted: ListChange, done: string): Promise<unknown> {
  const { id, read, change, onChanged } = props;
  const make = async (asked: ListChange): Promise<ListChange> => {
    const before = await read();
    const after = carried(asked, before);
    await change(after);
    return { before, after };
  };
  const undo = async (made: ListChange): Promise<void> => {
    await make(reversed(made));
    await onChanged();
  };
  const answer = await act(`ticket ${id}`, { run: () => make(wanted), done, undo });
  if (answer !== undefined) await onChanged();
  return answer;
}
