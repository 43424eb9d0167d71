import * as z from "zod";
import { InputError } from "../../kernel/errors.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../kernel/operation.ts";
import { andThen } from "../../lib/awaitable.ts";
import { Id } from "../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/lists.ts";
import { updateRecord } from "../../wire/stamps.ts";
import { channelCollection, channelCountCollection } from "./collection.ts";
import { Channel, CreateChannel, UpdateChannel } from "./model.ts";
import { newChannel } from "./rules/record.ts";

const listed = { collection: channelCollection, code: "channel", thing: "channel" } as const;

export const getChannels = defineQuery({
  name: "get_channels",
  method: "GET",
  summary: "List all notification channels.",
  access: credentials,
  input: NoParameters,
  output: listOf(Channel),
  handler: (_input, { definitions }) => andThen(definitions.all(channelCollection), asList),
});

export const getChannel = defineQuery({
  name: "get_channel",
  method: "GET",
  summary: "Read one notification channel.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ channel: Channel }),
  handler: ({ id }, { definitions }) => andThen(findListed(definitions, listed, id), (channel) => ({ channel })),
});

export const createChannel = defineCommand({
  name: "create_channel",
  method: "POST",
  summary: "Create a notification channel; the id is generated when absent.",
  access: privilege("create_channels"),
  input: CreateChannel,
  output: z.object({ channel: Channel }),
  together: true,
  async handler(input, { actor, audit, emit, ids, now, services, tx }) {
    const id = input.id ?? ids.short("ch");
    const channel = newChannel(input, { id, username: actor.id, now });
    await services.references.check({ actor, tx }, channelCollection, channel);
    await insertListed(tx, listed, channel);
    audit("channel_create", { channel });
    emit("channel.created", { id });
    return { channel };
  },
});

export const updateChannel = defineCommand({
  name: "update_channel",
  method: "POST",
  summary: "Change a notification channel; members not sent stay as they are.",
  access: privilege("edit_channels"),
  input: UpdateChannel,
  output: Done,
  async handler(input, { actor, audit, emit, now, services, tx }) {
    await services.references.check({ actor, tx }, channelCollection, input);
    const channel = await updateListed(tx, listed, input, (stored) => updateRecord(stored, input, now));
    const { max_per_day: limit } = channel;
    if (input.max_per_day !== undefined && !(typeof limit === "number" && limit >= 0))
      throw new InputError("Malformed parameter: max_per_day");
    audit("channel_update", { channel });
    emit("channel.updated", { id: input.id });
    return {};
  },
});

export const deleteChannel = defineCommand({
  name: "delete_channel",
  method: "POST",
  summary: "Remove a notification channel; actions that name it fail from now on.",
  access: privilege("delete_channels"),
  input: z.looseObject({ id: Id }),
  output: Done,
  async handler({ id }, { audit, emit, tx }) {
    const channel = await deleteListed(tx, listed, id);
    await tx.collection(channelCountCollection).delete(id);
    audit("channel_delete", { channel });
    emit("channel.deleted", { id });
    return {};
  },
});
