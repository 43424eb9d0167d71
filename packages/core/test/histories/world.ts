import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { Mail } from "../../src/ports/outside/mailer.ts";
import type { Probe, ProbeAnswer } from "../../src/ports/outside/probe.ts";
import type { WebHookRequest, WebHookResponse } from "../../src/ports/outside/web-hook-client.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { define } from "./acts/definitions.ts";
import { looksThatChange } from "./acts/looks.ts";
import { PEOPLE_AT, peopleAct } from "./acts/people.ts";
import { cellOfHost } from "./acts/watched.ts";
import { Crew } from "./crew.ts";
import { BEGIN, END, named } from "./names.ts";
import { createNodes, type Node } from "./nodes.ts";
import { CALM, type Cell, type ReceiverPlan, SAMPLED, type SnoozePlan, stateAt, type Trouble } from "./plan.ts";
import type { Span } from "./promises/spans.ts";
import { type Attempt, type Rows, rowsIn } from "./record.ts";

/** Seconds of the minute at which samples arrive and, after what people do, troubles of nodes. */
const [SAMPLE_AT, TROUBLE_AT] = [1, 40];

/** Outcome of an attempt to reach a receiver. */
type Answer = "well" | "busy" | "silent" | "gone";
function answerOf({ way }: ReceiverPlan, earlier: number, minute: number): Answer {
  if (way === "busy") return earlier < 2 ? "busy" : "well";
  if (way === "silent") return earlier < 1 ? "silent" : "well";
  if (way === "down") return minute >= 8 && minute < 12 ? "busy" : "well";
  return way;
}

/** The outside world: records each attempt and answers as planned. */
interface Outside {
  readonly planOf: (receiver: string) => ReceiverPlan | undefined;
  /** Whether a host answers at a minute. */
  readonly isWell: (host: string, minute: number) => boolean;
}

function createOutside(clock: FakeClock, { planOf, isWell }: Outside) {
  const attempts: Attempt[] = [];
  const answer = (receiver: string, key: string): Answer => {
    const earlier = attempts.filter((each) => each.key === key).length;
    attempts.push({ at: clock.now(), receiver, key });
    const plan = planOf(receiver);
    return plan ? answerOf(plan, earlier, (clock.now() - BEGIN) / 60) : "well";
  };
  const MAILED: Record<Answer, string> = {
    ...{ well: "", busy: "451 busy", silent: "Connection timed out", gone: "550 not a mail address" },
  };
  const ASKED: Record<Answer, number> = { well: 200, busy: 503, silent: 0, gone: 404 };
  const links: string[] = [];
  return {
    attempts,
    /** Tokens of links in mails. */
    links,
    mailer: {
      async send({ to, messageId, text }: Mail) {
        links.push(...(/(?<=\/ack\/)[\w-]+/.exec(text) ?? []));
        // People of a rota are named after their receiver, plus a letter.
        const said = answer(/^c\d+r\d+/.exec(to[0] ?? "")?.[0] ?? "", messageId);
        if (said !== "well") throw new Error(MAILED[said]);
      },
    },
    webHooks: {
      async send({ url, headers }: WebHookRequest): Promise<WebHookResponse> {
        const said = answer(url.split("/").at(-1) ?? "", headers["X-Idempotency-Key"] ?? "");
        if (said === "silent") throw new Error("The request timed out");
        return { status: ASKED[said], statusText: said, headers: {}, body: "", elapsedMs: 5 };
      },
      async probe(asked: Probe): Promise<ProbeAnswer> {
        if (!isWell(asked.kind === "tcp" ? asked.host : "", Math.floor((clock.now() - BEGIN) / 60)))
          throw Object.assign(new Error("Refused"), { code: "ECONNREFUSED" });
        return { elapsedMs: 5 };
      },
    },
  };
}

export interface Played {
  readonly rows: Rows;
  readonly attempts: readonly Attempt[];
  readonly away: readonly Span[];
  /** Errors that the engine logged. */
  readonly faults: readonly string[];
  /** Reads that changed a row. */
  readonly changed: readonly string[];
  readonly snooze: SnoozePlan | undefined;
}

interface Play {
  readonly cells: readonly Cell[];
  readonly snooze: SnoozePlan | undefined;
  readonly troubles?: readonly Trouble[];
  /** Whether to read every record halfway through, to verify that reading changes none. */
  readonly isLooked?: boolean;
}

/** Plays histories side by side on separate nodes, minute by minute. */
export async function playHistories({ cells, snooze, troubles = [], isLooked = false }: Play): Promise<Played> {
  const clock = fakeClock(BEGIN - 60, { together: true });
  const storage = memoryStorage({ clock });
  const plans = new Map(
    cells.flatMap(({ receivers }, cell) => receivers.map((each, at) => [named(cell, "r", at), each] as const)),
  );
  const isWell = (host: string, minute: number): boolean =>
    (cells[cellOfHost(host)]?.watched ?? []).every((each) => each.kind !== "check" || stateAt(each, minute) === "well");
  const outside = createOutside(clock, { planOf: (receiver) => plans.get(receiver), isWell });
  const { mailer, webHooks, attempts } = outside;
  const nodes = createNodes({ clock, storage, mailer, webHooks });
  const crew = new Crew(clock, nodes);
  await crew.open(troubles.length > 0 ? 2 : 1);
  await define(crew.any(), cells);
  // Nodes receive changes of others a moment later.
  await clock.advance(1);
  await crew.connect(cells.flatMap(({ minutes }, cell) => minutes.map((_all, at) => named(cell, "s", at))));
  await chain(crew.any(), cells);
  await clock.advance(1);
  let changed: readonly string[] = [];
  for (let minute = 1; minute <= SAMPLED + CALM; minute++) {
    const at = (second: number): Promise<void> => crew.advanceTo(BEGIN + minute * 60 + second);
    await at(SAMPLE_AT);
    for (const [cell, plan] of cells.entries()) crew.sample(samplesOf(cell, plan, minute));
    await at(PEOPLE_AT);
    await peopleAct(crew, { cells, minute, snooze });
    await at(TROUBLE_AT);
    for (const trouble of troubles) if (trouble.at === minute) await crew.suffer(trouble);
    if (isLooked && minute === SAMPLED / 2) changed = await looksThatChange(crew.any(), storage, outside.links);
  }
  await crew.advanceTo(END);
  const rows = await storage.read(rowsIn);
  await crew.close();
  return { rows, attempts, away: crew.away(END), faults: nodes.faults, changed, snooze };
}

/** Samples of a minute by server; a silent server is left out. */
const samplesOf = (cell: number, { minutes }: Cell, minute: number): [string, readonly number[]][] =>
  minutes.flatMap((all, at): [string, readonly number[]][] => {
    const bits = minute > SAMPLED ? 0 : all[minute - 1];
    return typeof bits === "number" ? [[named(cell, "s", at), [0, 1, 2].map((alert) => (bits >> alert) & 1)]] : [];
  });

async function chain({ signalbox: { api } }: Node, cells: readonly Cell[]): Promise<void> {
  for (const [cell, { isChained }] of cells.entries())
    if (isChained) await api.updateServer({ id: named(cell, "s", 1), depends_on: [named(cell, "s", 0)] } as never);
}
