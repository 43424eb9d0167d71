import type { Cradle } from "../../../kernel/container.ts";
import { type CountUse, createDailyCount } from "../../../kernel/daily-count.ts";
import { channelCountCollection } from "../collection.ts";

export interface ChannelService {
  /** Counts a use of a channel before it happens; false when the day's limit is reached. */
  readonly countUse: CountUse;
}

type Deps = Pick<Cradle, "clock" | "config" | "transact">;

export const createChannels = (deps: Deps): ChannelService => ({
  countUse: createDailyCount(deps, channelCountCollection),
});
