import { startMailServer, type TakenMail } from "../../../packages/adapters/test/mail-server.ts";
import { type Host, startHost } from "./host-process.ts";

/** Moments at which the host dies. */
const MOMENTS = [
  /** The change is stored, and its mail is waiting. */
  "noted",
  /** Somewhere between the change and the arrival of its mail. */
  "on the way",
  /** The mail has arrived, but its sender does not know yet. */
  "arrived",
] as const;
type Moment = (typeof MOMENTS)[number];

export interface StoriesReport {
  readonly kills: number;
  readonly moments: Readonly<Record<Moment, number>>;
  /** Kills that left a mail to compose or send. */
  readonly underWay: number;
  /** Distinct mails, by their Message-ID. */
  readonly mails: number;
  /** Arrivals under an id that had arrived before: a receiver drops them. */
  readonly repeated: number;
  readonly faults: readonly string[];
}

export interface StoriesOptions {
  readonly kills: number;
  /** Storage, as in `SIGNALBOX_STORAGE`. */
  readonly storage: string;
}

/** Seconds; longer than a lease, so that a dead process's work is free. */
const LEASE = 61;
const DEBOUNCE = 31;
/** About the time that a mail takes. */
const KILL_WITHIN_MS = 25;
const PATIENCE_MS = 120_000;

/**
 * Plays one story per kill, each about its own ticket: it is created, which is mailed at once, and closed, which is mailed after
 * the debounce. During one of the two, the host is killed with -9 and restarted. In any case each must be mailed under a single
 * Message-ID.
 */
export async function runStories({ kills, storage }: StoriesOptions): Promise<StoriesReport> {
  const faults: string[] = [];
  const moments: Record<Moment, number> = { noted: 0, "on the way": 0, arrived: 0 };
  let underWay = 0;
  let shift = 0;
  let onArrival: ((mail: TakenMail) => void | Promise<void>) | undefined;
  const server = await startMailServer({ onTaken: (mail) => onArrival?.(mail) });
  const SMTP = `smtp://127.0.0.1:${server.port}?tls=none`;
  const begin = (): Promise<Host> => startHost({ STORAGE: storage, SMTP, SHIFT: String(shift) });
  let host = await begin();

  const move = async (seconds: number): Promise<void> => {
    shift += seconds;
    await host.shift(seconds);
  };
  const arrived = async (what: string): Promise<void> => {
    const end = performance.now() + PATIENCE_MS;
    while (idsOf(server.taken, what).size === 0 && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 5));
    if (idsOf(server.taken, what).size === 0) faults.push(`${what}: no mail`);
  };
  const restart = async (id: string): Promise<void> => {
    shift += LEASE;
    host = await begin();
    if ((await host.look(id)).open > 0) underWay++;
  };

  /** Makes a change that causes a mail; the host is killed at the given moment. */
  const dieIn = async (moment: Moment, id: string, act: () => Promise<void>): Promise<void> => {
    moments[moment]++;
    if (moment === "arrived") {
      const dead = new Promise<void>((resolve) => {
        onArrival = async () => {
          onArrival = undefined;
          await host.kill();
          resolve();
        };
      });
      await act().catch(() => undefined);
      await dead;
    } else {
      const lost = act().catch(() => undefined);
      if (moment === "noted") await lost;
      else await new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_WITHIN_MS));
      await host.kill();
      await lost;
    }
    await restart(id);
  };

  const tell = async (id: string, moment: Moment, isFirst: boolean): Promise<void> => {
    const create = (): Promise<void> => host.create(id);
    if (isFirst) await dieIn(moment, id, create);
    // Killed before the commit: nothing has happened.
    if ((await host.look(id)).status === undefined) await create();
    await arrived(`${id} created`);
    const close = async (): Promise<void> => {
      await host.update(id);
      if (moment !== "noted") await move(DEBOUNCE);
    };
    if (!isFirst) await dieIn(moment, id, close);
    if ((await host.look(id)).status !== "closed") await host.update(id);
    await move(DEBOUNCE);
    await arrived(`${id} updated`);
  };

  try {
    for (let n = 0; n < kills; n++) await tell(`s${n}`, MOMENTS[n % MOMENTS.length] as Moment, n % 2 === 0);
    await quietIn(host);
  } finally {
    await host.kill();
    await server.close();
  }
  for (let n = 0; n < kills; n++)
    for (const what of [`s${n} created`, `s${n} updated`]) {
      const { size } = idsOf(server.taken, what);
      if (size !== 1) faults.push(`${what}: ${size} mails`);
    }
  const mails = new Set(server.taken.map(({ messageId }) => messageId)).size;
  const killed = Object.values(moments).reduce((sum, count) => sum + count, 0);
  return { kills: killed, moments, underWay, mails, repeated: server.taken.length - mails, faults };
}

/** Waits until nothing is left to send: repeated mails, if any, have arrived by then. */
async function quietIn(host: Host): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while ((await host.look("s0")).open > 0 && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Message-IDs of the mails about "s3 created". */
function idsOf(taken: readonly TakenMail[], what: string): ReadonlySet<string> {
  const [id = "", event = ""] = what.split(" ");
  const subject = new RegExp(`#\\d+ ${event}: ${id}$`);
  return new Set(
    taken.filter(({ headers }) => subject.test(headers.get("subject") ?? "")).map(({ messageId }) => messageId),
  );
}
