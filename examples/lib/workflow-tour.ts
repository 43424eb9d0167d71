import { type createSignalbox, defineEvent, defineWorkflow } from "@signalbox/core";
import * as z from "zod";
import { until } from "./until.ts";

type Box = Awaited<ReturnType<typeof createSignalbox>>;

const FLOW = "quick_start_invoices";
const WAIT_MS = 20_000;

const say = (text: string): void => console.log(text);

/** An invoice for each customer, in parallel the rates of the day, and a report once both are done. */
export function workflowTourEvents() {
  const customers = defineEvent({
    id: "quick_start_customers",
    title: "List the customers",
    run: () => ({ customers: ["Ada", "Grace", "Edsger"] }),
  });
  const invoice = defineEvent({
    id: "quick_start_invoice",
    title: "Make an invoice",
    input: z.object({ item: z.string() }),
    run: ({ data }) => ({ invoice: `for ${data.item}` }),
  });
  const rates = defineEvent({ id: "quick_start_rates", title: "Fetch the rates", run: () => ({ rate: 1.1 }) });
  const total = defineEvent({ id: "quick_start_total", title: "Add up", run: () => ({ added: true }) });
  const report = defineEvent({
    id: "quick_start_report",
    title: "Report",
    input: z.object({ combined: z.object({ rate: z.number(), added: z.boolean() }) }),
    run: ({ data }) => ({ report: `added up at a rate of ${data.combined.rate}` }),
  });
  const flow = defineWorkflow({
    id: FLOW,
    title: "Invoices of the month",
    nodes: {
      customers: { event: customers },
      rates: { event: rates },
      any: { decision: "data.customers.length > 0" },
      each: { split: "data.customers", continue: 100 },
      invoice: { event: invoice },
      total: { event: total },
      both: { join: true },
      report: { event: report },
    },
    wires: [
      ["start", "customers"],
      ["start", "rates"],
      ["customers", "any", "success"],
      ["any", "each"],
      ["each", "invoice"],
      ["invoice", "total", "continue"],
      ["total", "both", "success"],
      ["rates", "both", "success"],
      ["both", "report"],
    ],
  });
  return [customers, invoice, rates, total, report, flow];
}

interface Shown {
  readonly nodes: readonly { readonly id: string; readonly data: { readonly controller?: string } }[];
  readonly state: Readonly<Record<string, { readonly max?: number; readonly count?: number } | undefined>>;
  readonly jobs: Readonly<Record<string, readonly { readonly code: unknown }[] | undefined>>;
}

/** Shows a graph of functions with a decision, a split and a join. */
export async function tellWorkflow({ api }: Box): Promise<void> {
  const { id } = await api.runEvent({ id: FLOW });
  await until(async () => (await api.getJob({ id })).job["final"] === true, WAIT_MS);
  const { job } = await api.getJob({ id });
  say(`Workflow           "Invoices of the month", declared in code, node by node:`);
  const { nodes, state, jobs } = job.workflow as unknown as Shown;
  for (const { id: node, data } of nodes) {
    const codes = (jobs[node] ?? []).map(({ code }) => (code === 0 ? "ok" : `code ${String(code)}`));
    const { max, count } = state[node] ?? {};
    const waited = max === undefined ? "" : `, ${count} of ${max}`;
    if (data.controller !== undefined) say(`    ${node.padEnd(10)} ${data.controller}${waited}`);
    else if (codes.length > 0) say(`    ${node.padEnd(10)} ${codes.length} job(s): ${codes.join(", ")}`);
  }
  const { report } = (job["data"] ?? {}) as { report?: string };
  say(`Workflow finished  ${id} with code ${String(job.code)}, ${report}\n`);
}
