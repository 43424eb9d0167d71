import type { Cradle } from "../../../kernel/container.ts";
import type { Told } from "../rules/job-page.ts";
import { createPageNews, type JobNews } from "./page-news.ts";

/** Pages of jobs that subscribers look at. Other jobs are not read. */
export interface JobPages {
  /** Called when a subscriber opens a page; earlier output is not sent again. Must not overlap with itself or `tell`. */
  enter(id: string): Promise<void>;
  leave(id: string): void;
  /** Marks new output of the job, which is sent shortly after. Called for every piece of output. */
  nudge(id: string): void;
  /** Sends the news of these jobs; undefined = of all jobs. Never rejects. */
  tell(ids: Iterable<string> | undefined): Promise<void>;
  end(): void;
}

/** Milliseconds for which the output of a job is batched. */
const TOGETHER_MS = 100;
/** Maximum jobs whose output is in memory at the same time. */
const AT_ONCE = 100;

interface Handlers {
  readonly send: (news: readonly JobNews[]) => void;
  /** Queues work after the earlier work. */
  readonly inTurn: (work: () => Promise<void>) => void;
}

interface Page {
  visitors: number;
  told: Told;
}

type Deps = Pick<Cradle, "clock" | "jobs" | "log" | "snapshot">;

export function createJobPages(deps: Deps, { send, inTurn }: Handlers): JobPages {
  const read = createPageNews(deps);
  const open = new Map<string, Page>();
  const tellAll = createTelling(deps, { read, open, send });
  const nudged = new Set<string>();
  let timer: Disposable | undefined;

  async function tell(ids: Iterable<string> | undefined): Promise<void> {
    const wanted = [...(ids ?? open.keys())].filter((id) => open.has(id));
    for (const id of wanted) nudged.delete(id);
    await tellAll(wanted);
  }

  const ring = (): void => {
    timer = undefined;
    inTurn(() => tell([...nudged]));
  };

  return {
    tell,
    async enter(id) {
      const page = open.get(id);
      if (!page) open.set(id, { visitors: 1, told: await read.first(id) });
      else {
        page.visitors += 1;
        await tell([id]);
      }
    },
    leave(id) {
      const page = open.get(id);
      if (page && --page.visitors > 0) return;
      open.delete(id);
      nudged.delete(id);
    },
    nudge(id) {
      if (!open.has(id)) return;
      nudged.add(id);
      timer ??= deps.clock.after(TOGETHER_MS, ring);
    },
    end: () => timer?.[Symbol.dispose](),
  };
}

interface Telling extends Pick<Handlers, "send"> {
  readonly read: ReturnType<typeof createPageNews>;
  readonly open: ReadonlyMap<string, Page>;
}

/** Sends the news of open pages, and remembers the parts that were sent. Never rejects. */
function createTelling({ log }: Deps, { read, open, send }: Telling): (ids: readonly string[]) => Promise<void> {
  async function tellSome(ids: readonly string[]): Promise<void> {
    const looks = await read.since(new Map(ids.flatMap((id) => toldTo(open.get(id), id))));
    for (const [id, look] of looks) {
      const page = open.get(id);
      if (page) page.told = look.told;
    }
    send(Array.from(looks.values(), ({ news }) => news).filter(({ messages }) => messages.length > 0));
  }
  return async (ids) => {
    try {
      for (let first = 0; first < ids.length; first += AT_ONCE) await tellSome(ids.slice(first, first + AT_ONCE));
    } catch (error) {
      log.error({ error }, "The news of jobs could not be told");
    }
  };
}

const toldTo = (page: Page | undefined, id: string): (readonly [string, Told])[] => (page ? [[id, page.told]] : []);
