import type { Cradle } from "../../../kernel/container.ts";
import { MinuteMessage } from "../rules/host-record.ts";
import { emptyMemory, type MinuteMemory, type RunMinute } from "./minute.ts";

/** Takes the minute messages of connected servers: per server one is in work and at most one waits (part 20 §4.1). */
export interface MinuteQueue {
  joined(server: string): void;
  gone(server: string): void;
  /** A message that finds another one waiting replaces it. */
  push(server: string, message: unknown): void;
  /** Messages that were no minute messages, since the start. */
  dropped(): number;
  /** Waits for what is in work. */
  idle(): Promise<void>;
}

interface Slot {
  memory: MinuteMemory;
  /** Minute of the last accepted message by the agent's clock. */
  lastMinute: number | undefined;
  isBusy: boolean;
  waiting: MinuteMessage | undefined;
}

export function createMinuteQueue(cradle: Cradle, runMinute: RunMinute): MinuteQueue {
  const slots = new Map<string, Slot>();
  const working = new Set<Promise<void>>();
  let dropped = 0;

  const run = async (id: string, slot: Slot, first: MinuteMessage): Promise<void> => {
    for (let message: MinuteMessage | undefined = first; message; message = takeWaiting(slot)) {
      const server = cradle.servers.get(id);
      if (!server) break;
      try {
        slot.memory = await runMinute(server, message, slot.memory);
      } catch (error) {
        // What was stored is unknown now, so the next minute reads it back.
        slot.memory = emptyMemory();
        cradle.log.error({ server: id, error }, "The minute of a server could not be stored");
      }
    }
    slot.isBusy = false;
  };
  const begin = (id: string, slot: Slot, message: MinuteMessage): void => {
    slot.isBusy = true;
    const work = run(id, slot, message).finally(() => working.delete(work));
    working.add(work);
  };

  return {
    joined: (server) =>
      void slots.set(server, { memory: emptyMemory(), lastMinute: undefined, isBusy: false, waiting: undefined }),
    gone: (server) => void slots.delete(server),
    push(server, raw) {
      const slot = slots.get(server);
      const parsed = MinuteMessage.safeParse(raw);
      if (!parsed.success) dropped += 1;
      const minute = parsed.success ? Math.floor(parsed.data.date / 60) : undefined;
      if (!slot || !parsed.success || minute === slot.lastMinute) return;
      slot.lastMinute = minute;
      if (slot.isBusy) slot.waiting = parsed.data;
      else begin(server, slot, parsed.data);
    },
    dropped: () => dropped,
    async idle() {
      while (working.size > 0) await Promise.all(working);
    },
  };
}

function takeWaiting(slot: Slot): MinuteMessage | undefined {
  const { waiting } = slot;
  slot.waiting = undefined;
  return waiting;
}
