import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { userRecords } from "../users/records.ts";
import { channelCollection, channelCountCollection } from "./collection.ts";
import type { ChannelEvents } from "./events.ts";
import { Channel } from "./model.ts";
import { createChannel, deleteChannel, getChannel, getChannels, updateChannel } from "./operations.ts";
import { newChannel, SEVERITY_1 } from "./rules/record.ts";
import { channelAction } from "./services/action.ts";
import { type ChannelService, createChannels } from "./services/count.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends ChannelEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly channels: ChannelService;
  }
}

export const channels = definePlugin({
  id: "channels",
  after: ["auth", "activity", "users"],
  collections: [channelCollection, channelCountCollection],
  transfer: {
    lists: {
      channels: {
        collection: channelCollection,
        shape: Channel,
        definition: "channel",
        companions: [channelCountCollection],
      },
    },
    own: [channelCountCollection],
  },
  operations: [getChannels, getChannel, createChannel, updateChannel, deleteChannel],
  actionTypes: { channel: channelAction },
  services: { channels: createChannels },
  start: (cradle) =>
    seedOnce(cradle, "channels", async (unit) => {
      // Hosts with their own login may have no such user, and a channel without a recipient is useless.
      if (!(await unit.tx.collection(userRecords).get("admin"))) return;
      const stamp = { id: "sev1", username: "admin", now: Math.floor(cradle.clock.now()) };
      for (const channel of await insertMissing(unit, channelCollection, [newChannel(SEVERITY_1, stamp)]))
        unit.audit("channel_create", { channel });
    }),
});
