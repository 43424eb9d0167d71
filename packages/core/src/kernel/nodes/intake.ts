/** Most messages accepted from one sender in a second; further ones are dropped. */
const MAX_A_SECOND = 2000;

interface Sender {
  /** Number of its last accepted message. */
  last: number;
  second: number;
  count: number;
}

/** Accepts each message of a sender once and in sending order, at a bounded rate. */
export function createIntake(isKnown: (sender: string) => boolean) {
  const senders = new Map<string, Sender>();
  let dropped = 0;
  const add = (id: string): Sender => {
    for (const other of senders.keys()) if (!isKnown(other)) senders.delete(other);
    const sender = { last: -1, second: 0, count: 0 };
    senders.set(id, sender);
    return sender;
  };
  return {
    takes({ f, s }: { readonly f: string; readonly s: number }, nowMs: number): boolean {
      const sender = senders.get(f) ?? add(f);
      const second = Math.floor(nowMs / 1000);
      sender.count = sender.second === second ? sender.count + 1 : 1;
      sender.second = second;
      const isTaken = s > sender.last && sender.count <= MAX_A_SECOND;
      if (isTaken) sender.last = s;
      else dropped += 1;
      return isTaken;
    },
    dropped: () => dropped,
  };
}
