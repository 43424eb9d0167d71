import * as z from "zod";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { SignalboxError } from "../../../kernel/errors/errors.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { webHookCollection } from "../collection.ts";
import { TestWebHook, type WebHook } from "../model.ts";
import { isRedirected, newWebHook } from "../rules/record.ts";
import { checkHeaders, requireKeeper, requireMacros } from "./checks.ts";

export const testWebHook = defineCommand({
  name: "test_web_hook",
  summary: "Send a web hook with sample data, stored or not; a failed request is answered with status 200.",
  access: privilege("edit_web_hooks"),
  refuses: ["web_hook", "webhook"],
  input: TestWebHook,
  output: object(() => ({
    result: z.object({ code: z.literal(0), description: z.string(), details: z.string() }),
  })),
  async prepare(input, context) {
    const hook = await hookToTest(input, context);
    const { code, description, details = "" } = await send(hook, context);
    if (code !== 0) throw new SignalboxError("webhook", description);
    return { code: 0 as const, description, details };
  },
  async handler(_input, { prepared }) {
    return { result: prepared };
  },
});

/** The members sent, laid over the saved hook if there is one. */
async function hookToTest(input: TestWebHook, { actor, now, read, services }: PrepareContext): Promise<WebHook> {
  const { id } = input;
  checkHeaders(id, input.headers);
  const stored = await read((tx) => tx.collection(webHookCollection).get(id));
  const hook = newWebHook({ ...stored, ...input }, { id, username: actor.id, now });
  requireMacros(hook, services);
  if (stored && isRedirected(stored, hook)) requireKeeper(id, { actor, services });
  return hook;
}

/** Sends the test; aborts when the caller leaves. */
function send(hook: WebHook, { services, signal }: PrepareContext) {
  const text = `Web Hook Test: ${hook.title}`;
  return services.webHooks.fire(hook, { text, content: text, message: text, _fallback: text }, { signal });
}
