import * as z from "zod";
import type { OperationContext } from "../../../kernel/calls/context.ts";
import { anyone, defineCommand } from "../../../kernel/calls/operation.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import type { Ping } from "../model.ts";
import { isRepeated, judged, MAX_BODY, readAddress, type Said } from "../rules/ping.ts";

/** Most bytes of a body, large enough that scripts need not truncate the end of a log. */
const MAX_BYTES = 102_400;

function saidBy({ client }: Pick<OperationContext, "client">): Said {
  const said = readAddress(client.pathSuffix);
  if (!said) throw new NotFoundError("Unknown heartbeat.");
  return said;
}

export const heartbeat = defineCommand({
  name: "heartbeat",
  method: "ANY",
  summary:
    "Say that work elsewhere has been done: the path holds the token of a heartbeat, and `/start`, `/fail`, `/alive`, `/log` or an exit status behind it.",
  access: anyone,
  refuses: ["notfound", "rate"],
  accepts: "anything",
  ownStatus: true,
  wholeText: { member: "text", maxBytes: MAX_BYTES },
  input: looseObject(() => ({
    run: z
      .string()
      .regex(/^\w{1,64}$/)
      .optional()
      .describe("Distinguishes concurrent runs."),
    text: z.string().optional().describe("What is kept of the call; over HTTP the body, whatever it is."),
  })),
  output: Done,
  async prepare({ run, text }, { client, now, read, services: { heartbeats } }) {
    const { token, kind, exit } = saidBy({ client });
    const { id, fail_words, beat } = await read((tx) => heartbeats.pings.find(tx, token));
    const ping: Ping = {
      kind: judged(kind, text, fail_words ?? []),
      date: now,
      ...(exit === undefined ? {} : { exit }),
      ...(run === undefined ? {} : { run }),
      ip: client.ip,
      ...(text ? { body: text.slice(0, MAX_BODY) } : {}),
    };
    heartbeats.pings.admit(id, beat !== undefined && isRepeated(beat, ping));
    return { id, ping };
  },
  async handler(_input, { prepared: { id, ping }, services: { heartbeats }, tx }) {
    await heartbeats.pings.note({ tx }, id, ping);
    return {};
  },
});
