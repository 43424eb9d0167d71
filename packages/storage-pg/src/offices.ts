import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@signalbox/core";
import type pg from "pg";
import type { Connections } from "./connections.ts";
import { clientSession } from "./session.ts";

/** How often a free office is looked for; also the pause between attempts to connect. */
const POLL_MS = 1000;
/** After a loss or a new candidate; bounds how often a connection that drops at once is replaced. */
const SHORT_PAUSE_MS = 50;

interface Candidate {
  readonly office: string;
  readonly hold: (lost: AbortSignal) => Promise<void>;
  withdrawn: boolean;
  /** Present from the election until the holder has ended and the office is free again. */
  lost: AbortController | undefined;
}

interface OfficesDeps {
  readonly connections: Connections;
  readonly schema: string;
  readonly log: Logger;
}

interface Election extends OfficesDeps {
  readonly candidates: Set<Candidate>;
  readonly stopping: AbortController;
  client: pg.Client | undefined;
  /** The last statement on that connection: `pg` takes one at a time, and offices end at once. */
  turn: Promise<unknown>;
  /** Aborted to cut the pause between two rounds short. */
  nudge: AbortController;
}

export interface Offices {
  lead(office: string, hold: (lost: AbortSignal) => Promise<void>): Disposable;
  stop(): Promise<void>;
}

/**
 * Leadership by advisory locks of one connection that does nothing else: the server frees them as soon as the
 * connection is gone, and losing the connection is losing every office.
 */
export function createOffices(deps: OfficesDeps): Offices {
  const election: Election = {
    ...deps,
    candidates: new Set(),
    stopping: new AbortController(),
    client: undefined,
    turn: Promise.resolve(),
    nudge: new AbortController(),
  };
  const { candidates, stopping } = election;
  let rounds: Promise<void> | undefined;
  return {
    lead(office, hold) {
      const candidate: Candidate = { office, hold, withdrawn: false, lost: undefined };
      candidates.add(candidate);
      election.nudge.abort();
      rounds ??= holdRounds(election).finally(() => {
        rounds = undefined;
      });
      return {
        [Symbol.dispose]() {
          candidate.withdrawn = true;
          candidates.delete(candidate);
          candidate.lost?.abort(new Error("The candidate withdrew"));
        },
      };
    },
    async stop() {
      stopping.abort();
      for (const { lost } of candidates) lost?.abort(new Error("The storage was closed"));
      await rounds;
      const last = election.client;
      election.client = undefined;
      // Ending a connection breaks the statement it is in the middle of.
      await election.turn;
      await last?.end();
    },
  };
}

async function holdRounds(election: Election): Promise<void> {
  const { candidates, stopping } = election;
  while (!stopping.signal.aborted) {
    await holdRound(election);
    const signal = AbortSignal.any([election.nudge.signal, stopping.signal]);
    // The pause ends early when something has happened: that is no error.
    if (!signal.aborted) await sleep(POLL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    else await sleep(SHORT_PAUSE_MS, undefined, { ref: false });
    election.nudge = new AbortController();
    if (candidates.size === 0) return;
  }
}

async function holdRound(election: Election): Promise<void> {
  const waiting = [...election.candidates].filter(({ lost }) => !lost);
  if (waiting.length === 0) return;
  try {
    const client = await connect(election);
    for (const candidate of waiting) if (election.client === client) await takeOffice(election, client, candidate);
  } catch (error) {
    election.log.warn({ error }, "Cannot stand for office; trying again");
  }
}

async function connect(election: Election): Promise<pg.Client> {
  if (election.client) return election.client;
  const client = await election.connections.connectAlone("lead");
  client.once("end", () => {
    if (election.client === client) election.client = undefined;
    for (const { lost } of election.candidates) lost?.abort(new Error("The connection was lost"));
    election.nudge.abort();
  });
  election.client = client;
  return client;
}

const keyOf = ({ schema }: Election, { office }: Candidate): string => `signalbox ${schema} office ${office}`;

async function takeOffice(election: Election, client: pg.Client, candidate: Candidate): Promise<void> {
  const sql = "select pg_try_advisory_lock(hashtextextended($1, 0))::text as won";
  const ask = () => clientSession(client).run({ sql, kept: false }, [keyOf(election, candidate)]);
  const { rows } = await inTurn(election, ask);
  if (rows[0]?.["won"] !== "true") return;
  if (candidate.withdrawn || election.client !== client) return freeOffice(election, client, candidate);
  candidate.lost = new AbortController();
  serve(election, client, candidate, candidate.lost.signal).catch((error: unknown) =>
    election.log.warn({ error, office: candidate.office }, "An office could not be given up"),
  );
}

/** Ends when the office was lost, given up, or its holder failed; a holder that returns keeps it. */
async function serve(election: Election, client: pg.Client, candidate: Candidate, lost: AbortSignal): Promise<void> {
  try {
    await candidate.hold(lost);
    await aborted(lost);
  } catch (error) {
    election.log.error({ office: candidate.office, error }, "The holder of an office failed");
  }
  try {
    await freeOffice(election, client, candidate);
  } finally {
    candidate.lost = undefined;
  }
}

async function freeOffice(election: Election, client: pg.Client, candidate: Candidate): Promise<void> {
  await inTurn(election, async () => {
    // A connection that is gone has freed everything.
    if (election.client !== client) return;
    await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", [keyOf(election, candidate)]);
  });
}

function inTurn<R>(election: Election, query: () => Promise<R>): Promise<R> {
  const run = election.turn.then(query);
  election.turn = run.catch(() => undefined);
  return run;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
