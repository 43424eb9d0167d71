import type { Logger } from "@signalbox/core/adapter";
import type { NodeMessage } from "@signalbox/core/storage";
import { decode, type Notification } from "./messages.ts";

export interface Subscriber {
  readonly handler: (message: NodeMessage) => void;
  readonly onGap: () => void;
}

export interface Subscribers {
  add(subscriber: Subscriber): Disposable;
  /** Hands a notification to the subscribers that it concerns; skips notifications of this node and of strangers. */
  deliver(payload: string | undefined): void;
  /** Tells all subscribers that something may have been missed. */
  gap(): void;
}

/** Whether a call is for this node; strangers may notify, too. */
const isFor = (to: unknown, node: string): boolean => !Array.isArray(to) || to.includes(node);

interface Wakes {
  /** Items were enqueued. */
  readonly work: () => void;
  /** The log of changes has more to read. */
  readonly changes: () => void;
}

export function createSubscribers(nodeId: string, log: Logger, wakes: Wakes): Subscribers {
  const all = new Set<Subscriber>();
  const each = (call: (subscriber: Subscriber) => void): void => {
    for (const subscriber of [...all]) {
      try {
        call(subscriber);
      } catch (error) {
        log.error({ error }, "A subscriber to messages of other nodes failed");
      }
    }
  };
  const route = (notification: Notification): void => {
    if (notification.logged) wakes.changes();
    else if ("work" in notification) {
      if (isFor(notification.to, nodeId)) wakes.work();
    } else if ("gap" in notification) each(({ onGap }) => onGap());
    else each(({ handler }) => handler(notification.message));
  };
  return {
    add(subscriber) {
      // A copy, so that one object added twice is two subscriptions.
      const own = { ...subscriber };
      all.add(own);
      return { [Symbol.dispose]: () => void all.delete(own) };
    },
    deliver(payload) {
      const notification = decode(payload);
      if (notification && notification.node !== nodeId) route(notification);
    },
    gap() {
      wakes.work();
      each(({ onGap }) => onGap());
    },
  };
}
