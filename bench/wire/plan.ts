import { request } from "./drive.ts";
import { ask, KEY } from "./processes.ts";

/** A call to measure, and the most it may cost, as a multiple of the floor. */
export interface Work {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly must: number;
  readonly goal: number;
  /** Requests per turn. */
  readonly count: number;
  readonly request: () => string;
}

/** Records in the store before anything is measured. */
interface Stock {
  readonly tickets: readonly string[];
  readonly secrets: readonly string[];
}

const WORDS =
  `backup disk network cluster release deploy certificate database queue latency memory kernel firewall storage
  replica index cache login browser invoice report metric alert agent restart upgrade patch config secret token session
  socket timeout retry schedule script bucket snapshot monitor graph`.split(/\s+/);
const SECRETS = 20;
const MAKERS = 4;

let seed = 7;
function below(count: number): number {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
  return seed % count;
}
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const text = (words: number): string => Array.from({ length: words }, () => pick(WORDS)).join(" ");

/** One ticket in a hundred holds the word that is searched for, and one in ten is closed. */
const ticket = (index: number) => ({
  subject: `${text(5)} ${index}`,
  body: `${text(40)}${index % 100 === 0 ? " zanzibar" : ""}`,
  type: pick(["issue", "feature", "change", "question"]),
  status: index % 10 === 0 ? "closed" : "open",
  assignees: index % 3 ? [] : ["admin"],
  tags: index % 5 ? [] : ["important"],
});

export async function prepare(port: number, count: number): Promise<Stock> {
  const tickets: string[] = [];
  let next = 0;
  const make = async (): Promise<void> => {
    while (next < count)
      tickets.push((await ask<{ ticket: { id: string } }>(port, "create_ticket", ticket(next++))).ticket.id);
  };
  await Promise.all(Array.from({ length: MAKERS }, make));
  const secrets: string[] = [];
  for (let index = 0; index < SECRETS; index++) {
    const fields = [
      { name: "LOAD_A", value: "value-a" },
      { name: "LOAD_B", value: "value-b" },
    ];
    const made = await ask<{ secret: { id: string } }>(port, "create_secret", {
      title: `Load ${index}`,
      enabled: true,
      fields,
    });
    secrets.push(made.secret.id);
  }
  return { tickets, secrets };
}

export function planOf({ tickets, secrets }: Stock): Work[] {
  const get = (operation: string, query: () => string = () => "") => ({
    method: "GET" as const,
    request: () => request("GET", `/api/app/${operation}/v1${query()}`, KEY),
  });
  const post = (operation: string, input: () => object) => ({
    method: "POST" as const,
    request: () => request("POST", `/api/app/${operation}/v1`, KEY, input()),
  });
  const search = (query: string) => get("search_tickets", () => `?query=${query}&limit=25&compact=1`);
  let serial = tickets.length;
  return [
    { name: "get_tags", must: 1.6, goal: 1.35, count: 1000, ...get("get_tags") },
    { name: "get_monitors", must: 1.7, goal: 1.4, count: 1000, ...get("get_monitors") },
    { name: "get_ticket by id", must: 2.2, goal: 1.7, count: 1000, ...get("get_ticket", () => `?id=${pick(tickets)}`) },
    { name: "get_active_jobs, none", must: 1.8, goal: 1.4, count: 1000, ...get("get_active_jobs") },
    { name: "search, a word in 1 %", must: 7, goal: 4, count: 150, ...search("zanzibar") },
    { name: "search, status:closed", must: 7, goal: 4, count: 150, ...search("status:closed") },
    {
      ...{ name: "update_ticket", must: 9, goal: 6, count: 200 },
      ...post("update_ticket", () => ({ id: pick(tickets), subject: `${text(5)} u${serial++}` })),
    },
    {
      ...{ name: "decrypt_secret, warm", must: 5, goal: 3.5, count: 200 },
      ...post("decrypt_secret", () => ({ id: pick(secrets) })),
    },
    { name: "create_ticket", must: 9, goal: 6, count: 150, ...post("create_ticket", () => ticket(serial++)) },
  ];
}
