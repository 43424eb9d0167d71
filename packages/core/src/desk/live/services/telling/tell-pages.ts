import { mayAccess } from "../../../../directory/access/require-access.ts";
import { readingOf } from "../../../../work/jobs/access/rules/restriction.ts";
import { leftOutMessage, type PageMessage } from "../../rules/job-page.ts";
import type { JobNews } from "../page-news.ts";
import type { Sendable } from "../streams/outbox.ts";
import type { Send, Subscriber } from "../streams/subscriber.ts";
import { type Group, sendable } from "./audiences.ts";
import { page } from "./render.ts";

/**
 * Maximum bytes that may wait for a client before it is sent no output; the rest of the bound is for messages that it must not
 * miss.
 */
const MAX_WAITING = 262_144;

/** Sends the news of jobs to the members of a group that look at these jobs and have access to them. */
export function tellPagesOf({ actor, members }: Group, news: readonly JobNews[], send: Send): void {
  const visits = members.flatMap((member) => member.jobs.map((job) => ({ job, member })));
  const visitors = Map.groupBy(visits, ({ job }) => job);
  for (const { job, messages } of news) {
    const present = visitors.get(job.id);
    if (!present || !mayAccess(actor, readingOf(job))) continue;
    const to = present.map(({ member }) => member);
    for (const message of messages) tellMessage({ job: job.id, message, send }, to);
  }
}

interface Telling {
  readonly job: string;
  readonly message: PageMessage;
  readonly send: Send;
}

function tellMessage({ job, message, send }: Telling, present: readonly Subscriber[]): void {
  const item = itemOf(job, message);
  const { outputBytes = 0 } = message;
  for (const subscriber of present) {
    const { outbox, leftOutBytes } = subscriber;
    const leftOut = leftOutBytes.get(job) ?? 0;
    if (outputBytes > 0 && outbox.waitingBytes > MAX_WAITING) {
      leftOutBytes.set(job, leftOut + outputBytes);
      continue;
    }
    if (outputBytes > 0 && leftOutBytes.delete(job)) send(subscriber, itemOf(job, leftOutMessage(leftOut)));
    send(subscriber, item);
  }
}

const itemOf = (job: string, { cmd, data }: PageMessage): Sendable => sendable(page(`Job?id=${job}`, cmd, data));
