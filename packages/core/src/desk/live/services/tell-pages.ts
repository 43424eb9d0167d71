import { mayAccess } from "../../../directory/access/require-access.ts";
import { restrictionOf } from "../../../work/jobs/access/rules/restriction.ts";
import { leftOutMessage, type PageMessage } from "../rules/job-page.ts";
import { type Group, sendable } from "./audiences.ts";
import type { Sendable } from "./outbox.ts";
import type { JobNews } from "./page-news.ts";
import { page } from "./render.ts";
import type { Send, Subscriber } from "./subscriber.ts";

/** Bytes that may wait for a client which is still sent output: the rest is for what it must not miss. */
const MAX_WAITING = 262_144;

interface Telling {
  readonly loc: string;
  readonly send: Send;
}

/** Tells the members of a group that look at these jobs, as far as they have access to them. */
export function tellPagesOf({ actor, members }: Group, news: readonly JobNews[], send: Send): void {
  const visitors = Map.groupBy(members, ({ job }) => job);
  for (const { job, messages } of news) {
    const present = visitors.get(job.id);
    if (!present || !mayAccess(actor, restrictionOf(job))) continue;
    const telling = { loc: `Job?id=${job.id}`, send };
    for (const message of messages) tellMessage(telling, message, present);
  }
}

function tellMessage({ loc, send }: Telling, message: PageMessage, present: readonly Subscriber[]): void {
  const item = itemOf(loc, message);
  const { outputBytes = 0 } = message;
  for (const subscriber of present) {
    if (outputBytes > 0 && subscriber.outbox.waitingBytes > MAX_WAITING) {
      subscriber.leftOutBytes += outputBytes;
      continue;
    }
    if (outputBytes > 0 && subscriber.leftOutBytes > 0) {
      send(subscriber, itemOf(loc, leftOutMessage(subscriber.leftOutBytes)));
      subscriber.leftOutBytes = 0;
    }
    send(subscriber, item);
  }
}

const itemOf = (loc: string, { cmd, data }: PageMessage): Sendable => sendable(page(loc, cmd, data));
