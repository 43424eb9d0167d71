import type { Clock } from "../../../ports/clock.ts";
import type { FakeClock } from "../../fake-clock.ts";
import type { TestServer } from "./test-server.ts";

/** A server of the box, or its id. */
export type SampledServer = TestServer | string;

type Data = Readonly<Record<string, unknown>>;

export interface Minutes {
  minute(server: SampledServer, data: Data): Promise<void>;
  report(server: SampledServer, data: Data): Promise<void>;
}

interface MinuteTools {
  readonly clock: FakeClock;
  readonly settle: () => Promise<void>;
  readonly serverOf: (id: string) => TestServer;
}

const minuteOf = (clock: Clock): number => Math.floor(clock.now() / 60);

/** Sends the sample that an agent sends each minute. */
export function createMinutes({ clock, settle, serverOf }: MinuteTools): Minutes {
  const last = new Map<string, number>();
  const report: Minutes["report"] = async (server, data) => {
    const { id, hostname, send } = typeof server === "string" ? serverOf(server) : server;
    if (last.get(id) === minuteOf(clock))
      throw new Error(`Server "${id}" has sent its sample of this minute; \`minute\` moves on to the next one`);
    send("monitor", { version: "1.0", date: clock.now(), server: id, hostname, data });
    last.set(id, minuteOf(clock));
    await settle();
  };
  return {
    report,
    async minute(server, data) {
      await clock.advanceTo((minuteOf(clock) + 1) * 60);
      await report(server, data);
    },
  };
}
