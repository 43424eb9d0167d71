/** The longest possible answers in every form, many at once and to callers who do not read them. */
import { type Ask, jsonCall } from "../server/http.ts";
import { withPeers } from "../server/sockets.ts";
import type { Attack, Part, Stage } from "../stage/attack.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Escapes and multi-byte letters make a text expensive to serialise. */
const textOf = (characters: number): string => 'Größe "5"\n'.repeat(Math.ceil(characters / 10));

const MANY = 6000;
const LARGE = 60;
const AT_ONCE = 10;
const WRITERS = 8;
const PLAIN = "identity";
const FORMS: readonly (readonly [what: string, pretty: boolean, encoding: string])[] = [
  ["plain", false, PLAIN],
  ["pretty", true, PLAIN],
  ["with brotli", false, "br"],
  ["with gzip", false, "gzip"],
];
/** Rows per page: fewer than any long list has, and the highest possible limit. */
const LIMITS = [60, 10_000];
const SEARCHED = ["search_activity", "search_tickets"];

async function inTurns(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Ordinary rows first, so that the large ones are the newest. */
const fill: Attack = {
  name: "an administrator fills the activity log and the tickets",
  by: "callers",
  short: false,
  async run(stage) {
    const notes = textOf(2000);
    await inTurns(MANY, (index) =>
      stage.api("create_ticket", { subject: `Ordinary ${index}`, body: notes, type: "issue", status: "open" }),
    );
    const body = textOf(240_000);
    await inTurns(LARGE, (index) =>
      stage.api("create_ticket", { subject: `Large ${index}`, body, type: "issue", status: "open" }),
    );
    await inTurns(LARGE, (index) => stage.api("create_tag", { title: `Large ${index}`, notes: body }));
  },
};

const pageOf = (stage: Stage, operation: string, limit: number, [, pretty, encoding]: (typeof FORMS)[number]): Ask =>
  jsonCall(
    `/api/app/${operation}/v1${pretty ? "?pretty=1" : ""}`,
    { limit },
    {
      ...stage.callers.admin,
      "Accept-Encoding": encoding,
    },
  );

/** A compressed answer has no text to judge. When there is no room for another long answer, 503 is correct. */
async function take(stage: Stage, ask: Ask, mayWait = false): Promise<void> {
  if (ask.headers?.["Accept-Encoding"] === PLAIN) await stage.ask(ask, { injected: mayWait });
  else {
    const { status, hung } = await stage.http.ask(ask);
    stage.must((status === 200 || (mayWait && status === 503)) && !hung, `status ${status} for a compressed page`);
  }
}

const pages = FORMS.flatMap((form) =>
  [
    ...SEARCHED.flatMap((operation) => LIMITS.map((limit) => [operation, limit] as const)),
    ["get_tags", 1] as const,
  ].map(
    ([operation, limit]): Attack => ({
      name: `an administrator asks ${operation} for ${limit} rows, ${form[0]}`,
      by: "callers",
      short: false,
      run: (stage) => take(stage, pageOf(stage, operation, limit, form)),
    }),
  ),
);

const atOnce = FORMS.map(
  (form): Attack => ({
    name: `an administrator asks for ${AT_ONCE} of the longest pages at once, ${form[0]}`,
    by: "callers",
    short: false,
    async run(stage) {
      const ask = pageOf(stage, "search_tickets", 10_000, form);
      await Promise.all(Array.from({ length: AT_ONCE }, () => take(stage, ask, true)));
    },
  }),
);

const deaf: Attack = {
  name: `${AT_ONCE} callers ask for the longest page and do not read it`,
  by: "callers",
  short: false,
  async run(stage) {
    const { path, headers = {}, body } = pageOf(stage, "search_tickets", 10_000, ["plain", false, PLAIN]);
    const head = Object.entries({ ...headers, Host: "x", "Content-Length": String(body).length });
    const lines = head.map(([name, value]) => `${name}: ${value}`).join("\r\n");
    await withPeers(stage.server.port, AT_ONCE, { deaf: true }, async (peers) => {
      for (const { socket } of peers) socket.write(`POST ${path} HTTP/1.1\r\n${lines}\r\n\r\n${String(body)}`);
      await wait(3000);
    });
  },
};

export const answers: Part = {
  id: "answers",
  title: "The longest answers",
  attacks: [fill, ...pages, ...atOnce, deaf],
};
