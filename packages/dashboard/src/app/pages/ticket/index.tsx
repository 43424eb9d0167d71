import { useState } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive, usePage } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Deleted, Missing } from "../../frame/gone.tsx";
import { Head, Pill } from "../../parts/basic/basic.tsx";
import { href } from "../../router/router.ts";
import { now, when } from "../../texts/format.ts";
import type { PageProps } from "../page.ts";
import { stateName, stateOf, type Ticket } from "../tickets/query/values.ts";
import { Actions } from "./actions.tsx";
import { Attributes } from "./attributes/attributes.tsx";
import { Conversation } from "./conversation/conversation.tsx";
import { Description } from "./conversation/description.tsx";
import { TicketFiles } from "./files.tsx";
import { Links } from "./links.tsx";
import { t } from "./texts.ts";

/** Props of the parts of the page. */
export interface TicketProps {
  readonly ticket: Ticket;
  /** Called with the changed ticket, or with changed members. */
  readonly onChange: (told: Partial<Ticket>) => void;
}

/** One ticket: its description, its conversation, its links. */
export function Page({ params: { id = "" } }: PageProps) {
  const loaded = useLoad(`ticket ${id}`, async () => {
    const { ticket } = await api.getTicket(/^\d+$/.test(id) ? { num: Number(id) } : { id });
    return ticket;
  });
  const ticket = loaded.data.value;
  const show = (told: Partial<Ticket>): void => {
    const shown = loaded.data.peek();
    if (shown) loaded.set(newer(shown, told));
  };
  useNews(ticket?.id ?? "", show);
  useLive("back", loaded.reload);
  const isDeleted = useDeletion(ticket?.id);
  const title = ticket ? `#${ticket.num} ${ticket.subject}` : id;
  useCrumbs([{ title: t("tickets"), href: href("/tickets") }, { title }]);
  if (!ticket) return <Missing of={loaded} gone={t("gone")} />;
  return (
    <>
      {isDeleted && <Deleted />}
      <Shown ticket={ticket} onChange={show} />
    </>
  );
}

interface Told {
  readonly list: string;
  readonly item: { readonly id?: string };
  readonly delete?: boolean;
}

/** True once somebody has deleted the ticket. */
function useDeletion(id: string | undefined): boolean {
  const [gone, setGone] = useState<string>();
  useLive("single", ({ list, item, delete: isDeletion }: Told) => {
    if (list === "tickets" && isDeletion && item.id === id) setGone(id);
  });
  return gone !== undefined && gone === id;
}

/** Merges an update into the ticket, unless it is older: an answer may arrive after the live message about a later change. */
export function newer(shown: Ticket, told: Partial<Ticket>): Ticket {
  if (told.id === undefined) return { ...shown, ...told };
  const { revision = 0, modified } = told as Ticket;
  return revision < (shown.revision ?? 0) || modified < shown.modified ? shown : (told as Ticket);
}

/** Shows changes by others, which arrive over the live channel. */
function useNews(id: string, show: TicketProps["onChange"]): void {
  usePage(id ? `Ticket?id=${id}` : "", (cmd, { ticket }) => {
    if (cmd === "ticket_updated" && (ticket as Ticket | undefined)?.id === id) show(ticket as Ticket);
  });
}

function Shown(props: TicketProps) {
  const { ticket } = props;
  const state = <Pill state={stateOf(ticket, now.value)} label={stateName(ticket, now.value)} />;
  return (
    <>
      <Head title={ticket.subject} state={state} actions={<Actions {...props} />}>
        <span class="num">#{ticket.num}</span>
        <span>{t("opened", { time: when(ticket.created), who: personName(ticket.username) })}</span>
      </Head>
      <div class="beside">
        <div class="stack">
          <Description {...props} />
          <Conversation {...props} />
        </div>
        <div class="stack">
          <Attributes {...props} />
          <TicketFiles {...props} />
          <Links {...props} />
        </div>
      </div>
    </>
  );
}
