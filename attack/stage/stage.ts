/** A server under attack, with everything that attacks need. */
import { judgeAnswer } from "../judge/answer.ts";
import type { Tally } from "../judge/tally.ts";
import { type Answer, type Ask, createHttp, jsonCall } from "../server/http.ts";
import { ADMIN_KEY, type AttackedServer } from "../server/start.ts";
import type { Stage } from "./attack.ts";
import { makeFixtures } from "./fixtures.ts";

export interface StageOptions {
  readonly seed: string;
  readonly short: boolean;
  readonly tally: Tally;
  note(sentence: string, reproduction?: string): void;
}

export async function setStage(server: AttackedServer, options: StageOptions): Promise<Stage> {
  const http = createHttp(server.port, options.tally);
  const api = async (operation: string, input: object = {}): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await http.ask(jsonCall(operation, input, { "X-API-Key": ADMIN_KEY }));
    const members = readMembers(answer);
    if (members["code"] !== 0) throw new Error(`${operation}: status ${answer.status}, ${answer.text.slice(0, 300)}`);
    return members;
  };
  const { note: wrong, seed, short } = options;
  return {
    server,
    http,
    seed,
    short,
    api,
    wrong,
    must(condition, sentence, reproduction) {
      if (!condition) wrong(sentence, reproduction);
    },
    async ask(ask, expected = {}) {
      const answer = await http.ask(ask);
      const forbidden = [server.dataDir, ...(expected.forbidden ?? [])];
      for (const sentence of judgeAnswer(judged(answer), { ...expected, forbidden })) wrong(sentence, reproduce(ask));
      return answer;
    },
    ...(await makeFixtures(api)),
  };
}

const judged = ({ status, headers, text, hung }: Answer) => ({
  status,
  text,
  hung,
  contentType: String(headers["content-type"] ?? ""),
});

/** The members of an answer; empty when it is not a JSON object. */
export function readMembers({ text }: Answer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The request as a person would type it, without the secret parts of the headers. */
export function reproduce({ method = "GET", path, headers = {}, body, who: name }: Ask): string {
  const who = headers["X-API-Key"] ? ` (${name ?? "with a key"})` : "";
  const sent = body === undefined ? "" : ` -d ${Array.isArray(body) ? `${body.length} chunks` : String(body)}`;
  return `${method} ${path}${who}${sent}`.replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

const SHOWN = 110;

/** Lists equal requests once, with their count. */
export function reproduceAll(asks: readonly Ask[]): string {
  const times = new Map<string, number>();
  for (const ask of asks) {
    const text = reproduce(ask).slice(0, SHOWN);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return [...times].map(([text, count]) => `${count} x ${text}`).join("\n    ");
}
