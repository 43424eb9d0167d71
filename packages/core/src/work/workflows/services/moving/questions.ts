import { createBreath, takeSteps } from "../../../../kernel/running/breath.ts";
import { workflowKeptCollection, workflowRunCollection } from "../../collection.ts";
import type { Kept, Payload, Question, SplitQuestion } from "../../model.ts";
import { payloadOf } from "../../rules/parts.ts";
import { splitItems } from "../../rules/split.ts";
import type { Answer } from "../../rules/steps/advance.ts";
import { joined } from "../../rules/steps/joins.ts";
import { inputPieces, type Portions, serverPieces } from "../../rules/steps/portions.ts";
import { readParts } from "../view.ts";
import type { OrderDeps } from "./orders.ts";
import { serversFor } from "./servers.ts";
import { rowKey, type Session } from "./session.ts";

/** The members of a session that stay valid between two steps of a run. */
export type Known = Pick<Session, "run" | "record" | "facts" | "graph">;

/** Pieces per transaction. */
const PIECES_IN_A_WRITE = 20;

/**
 * Answers a question of a run. This may take long: no transaction is open, and it yields to other work. Pieces of the answer are
 * stored under a key unique to this attempt, so that attempts of other processes do not collide with it.
 */
export async function answerOf(deps: OrderDeps, known: Known, key: string): Promise<Answer | undefined> {
  const id = rowKey(known.run.id, key);
  const question = (await deps.snapshot((tx) => tx.collection(workflowKeptCollection).get(id)))?.kept.question;
  if (!question) return undefined;
  const breathe = createBreath(deps.clock, deps.jobs.stopping);
  if (question.kind === "gather")
    return { kind: "gathered", join: question.join, input: await gathered(deps, known, { question, breathe }) };
  const { controller, node, arrival } = question;
  const place: Place = { key: `${key}.${deps.ids.short("k")}`, breathe };
  const portions =
    question.kind === "split"
      ? await inputsOf(deps, known, { ...place, question })
      : await serversOf(deps, known, { ...place, node });
  return { kind: "jobs", controller, node, arrival, portions };
}

interface Place {
  readonly key: string;
  readonly breathe: () => Promise<void>;
}

async function inputsOf(
  deps: OrderDeps,
  known: Known,
  { key, breathe, question }: Place & { readonly question: SplitQuestion },
): Promise<Portions> {
  const node = known.graph.node(question.controller);
  if (node?.type !== "controller") return { count: 0 };
  const context = { workflow: known.record.job, params: known.facts.params, ...question.context };
  const evaluate = (expression: string, more: object) =>
    deps.expressions.compile(expression).evaluate({ ...context, ...more });
  const inputs = await takeSteps(splitItems(node.data, evaluate), breathe);
  const [first = {}] = inputs;
  await keepPieces(deps, known, { key, pieces: inputPieces(inputs, deps.config.max_jobs_per_workflow) });
  return { count: inputs.length, pieces: key, replaced: Object.keys(first) };
}

async function serversOf(
  deps: OrderDeps,
  known: Known,
  { key, breathe, node }: Place & { readonly node: string },
): Promise<Portions> {
  const servers = await serversFor(deps, known, { node, breathe });
  if ("aborts" in servers) return servers;
  await keepPieces(deps, known, { key, pieces: serverPieces(servers, deps.config.max_jobs_per_workflow) });
  return { count: servers.length, pieces: key };
}

interface Pieces {
  readonly key: string;
  readonly pieces: readonly Kept[];
}

async function keepPieces({ transact }: OrderDeps, { run: { id } }: Known, { key, pieces }: Pieces): Promise<void> {
  const rows = pieces.map((kept, index) => ({ id: rowKey(id, `${key}/${index}`), run: id, kept }));
  for (let from = 0; from < rows.length; from += PIECES_IN_A_WRITE)
    await transact(async ({ tx }) => {
      // The pieces of a run that has ended or been deleted meanwhile would never be removed.
      const run = await tx.collection(workflowRunCollection).get(id);
      if (run && !run.state.over)
        await tx.collection(workflowKeptCollection).insertMany(rows.slice(from, from + PIECES_IN_A_WRITE));
    });
}

/** Outputs of the sub-jobs of some nodes, node by node, each in the order of their ends. */
async function gathered(
  deps: OrderDeps,
  { run }: Known,
  { question, breathe }: { readonly question: Question & { kind: "gather" }; readonly breathe: Place["breathe"] },
): Promise<Payload> {
  const outputs: Payload[] = [];
  for (const source of question.sources)
    for (const part of await readParts(deps, { path: `${run.id}/${source}`, breathe }))
      if (!part.stub.retried) outputs.push(payloadOf(part));
  return joined(outputs);
}
