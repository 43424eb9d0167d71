import { ListedOperations } from "../../kernel/definitions/listed-operations.ts";
import { InputError } from "../../kernel/errors/errors.ts";
import { channelCollection, channelCountCollection } from "./collection.ts";
import { Channel, CreateChannel, UpdateChannel } from "./model.ts";
import { newChannel } from "./rules/record.ts";

const channels = new ListedOperations({
  collection: channelCollection,
  record: Channel,
  name: "channel",
  plural: "channels",
  prefix: "ch",
});

export const getChannels = channels.list({ summary: "List all notification channels." });

export const getChannel = channels.get({ summary: "Read one notification channel." });

export const createChannel = channels.create({
  summary: "Create a notification channel; the id is generated when absent.",
  input: CreateChannel,
  together: true,
  async draft(input, stamp, { actor, services, tx }) {
    const channel = newChannel(input, stamp);
    await services.references.check({ actor, tx }, channelCollection, channel);
    return channel;
  },
});

export const updateChannel = channels.update({
  summary: "Change a notification channel; members not sent stay unchanged.",
  input: UpdateChannel,
  before: (input, { actor, services, tx }) => services.references.check({ actor, tx }, channelCollection, input),
  after({ max_per_day: limit }, input) {
    if (input.max_per_day !== undefined && limit !== null && !(typeof limit === "number" && limit >= 0))
      throw new InputError("Malformed parameter: max_per_day");
  },
});

export const deleteChannel = channels.delete({
  summary: "Remove a notification channel; actions that name it fail from now on.",
  async after({ id }, { tx }) {
    await tx.collection(channelCountCollection).delete(id);
  },
});
