import type { FakeClock } from "../../src/testing/fake-clock.ts";
import type { ScriptedServer } from "../../src/testing/scripted-agent.ts";
import type { Node, Nodes } from "./nodes.ts";
import type { Trouble } from "./plan.ts";
import type { Span } from "./promises/spans.ts";

const EVER = Number.POSITIVE_INFINITY;

/** The nodes, which of them leads, and which server is connected to which. */
export class Crew {
  readonly #clock: FakeClock;
  readonly #nodes: Nodes;
  readonly #all: Node[] = [];
  readonly #leaders: Node[] = [];
  readonly #links = new Map<string, { readonly node: Node; readonly link: ScriptedServer }>();
  readonly #away: { readonly from: number; to: number }[] = [];
  readonly #jobs = new Map<string, { readonly server: string; readonly code: number }>();
  /** Later effects of troubles. */
  #later: { readonly at: number; readonly run: () => void }[] = [];

  constructor(clock: FakeClock, nodes: Nodes) {
    this.#clock = clock;
    this.#nodes = nodes;
  }

  any = (): Node => this.#all[0] as Node;
  leader = (): Node => this.#leaders[0] ?? this.any();
  /** Times without a leader. */
  away = (end: number): Span[] => this.#away.map(({ from, to }) => ({ from, to: Math.min(to, end) }));

  async open(count: number): Promise<void> {
    for (let at = 0; at < count; at++) this.#all.push(await this.#nodes.start());
    this.#appoint(this.any());
  }

  /** Connects servers by id, spread over the nodes. */
  async connect(ids: readonly string[]): Promise<void> {
    for (const [at, id] of ids.entries()) await this.#connect(this.#all[at % this.#all.length] as Node, id);
  }

  async advanceTo(time: number): Promise<void> {
    const due = this.#later.filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at);
    this.#later = this.#later.filter(({ at }) => at > time);
    for (const { at, run } of due) {
      await this.#clock.advanceTo(Math.max(at, this.#clock.now()));
      run();
    }
    await this.#clock.advanceTo(Math.max(time, this.#clock.now()));
  }

  sample(samples: readonly (readonly [string, readonly number[]])[]): void {
    for (const [id, bits] of samples)
      this.#links.get(id)?.link.send("monitor", { version: "1.0", date: this.#clock.now(), data: { bits } });
  }

  /** The server goes away by itself. */
  leave(server: string): void {
    this.#links.get(server)?.link.close();
    this.#links.delete(server);
  }

  comeBack = (server: string): Promise<void> => this.#connect(this.any(), server);

  /** The server reports a job until it is told to end it, then with this code. */
  runs(server: string, job: string, code = 0): void {
    this.#jobs.set(job, { server, code });
  }

  report(): void {
    for (const [job, { server }] of this.#jobs)
      this.#links.get(server)?.link.send("jobs", { [job]: { state: "active", progress: 0.5 } });
  }

  end(server: string, code = 0): void {
    for (const [job, run] of this.#jobs)
      if (run.server === server && run.code === code) {
        this.#links.get(server)?.link.send("jobs", { [job]: { state: "complete", complete: true, code } });
        this.#jobs.delete(job);
      }
  }

  async suffer({ what, sec }: Trouble): Promise<void> {
    const [leader] = this.#leaders;
    const next = this.#all.find((node) => !this.#leaders.includes(node));
    if (!leader || !next) return;
    if (what === "restart" || what === "kill") return this.#replace(leader, what === "restart");
    const at = this.#clock.now() + sec;
    if (what === "both") {
      this.#appoint(next);
      this.#later.push({ at, run: () => this.#leaders.length > 1 && this.#depose(leader) });
      return;
    }
    this.#depose(leader);
    if (what === "change") this.#appoint(next);
    else this.#later.push({ at, run: () => this.#leaders.length === 0 && this.#appoint(this.#all.at(-1) as Node) });
  }

  async close(): Promise<void> {
    for (const node of this.#all) await this.#during(node.stop());
  }

  #appoint(node: Node): void {
    this.#leaders.push(node);
    this.#nodes.appoint(node.id);
    for (const gap of this.#away.filter(({ to }) => to === EVER)) gap.to = this.#clock.now();
  }

  #depose(node: Node): void {
    this.#leaders.splice(0, this.#leaders.length, ...this.#leaders.filter((each) => each !== node));
    this.#nodes.depose(node.id);
    if (this.#leaders.length === 0) this.#away.push({ from: this.#clock.now(), to: EVER });
  }

  async #connect(node: Node, id: string): Promise<void> {
    this.#links.set(id, { node, link: await node.agent.connect({ hostname: `${id}.example`, id }) });
  }

  async #replace(node: Node, isClean: boolean): Promise<void> {
    this.#depose(node);
    this.#all.splice(this.#all.indexOf(node), 1);
    if (isClean) await this.#during(node.stop());
    else node.kill();
    if (this.#leaders.length === 0) this.#appoint(this.any());
    const fresh = await this.#nodes.start();
    this.#all.push(fresh);
    for (const [id, known] of this.#links) if (known.node === node) await this.#connect(fresh, id);
  }

  /** Runs work of the engine that may wait for time to pass. */
  async #during(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const done = work.finally(() => {
      isOver = true;
    });
    while (!isOver) await this.#clock.advance(0.02);
    await done;
  }
}
