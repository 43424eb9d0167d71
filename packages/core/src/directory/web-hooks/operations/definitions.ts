import * as z from "zod";
import { InputError } from "../../../kernel/errors.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../../wire/lists.ts";
import { updateRecord } from "../../../wire/stamps.ts";
import { webHookCollection, webHookCountCollection } from "../collection.ts";
import { CreateWebHook, UpdateWebHook, WebHook } from "../model.ts";
import { isRedirected, newWebHook, outOfBounds } from "../rules/record.ts";
import { checkHeaders, requireKeeper, requireMacros } from "./checks.ts";

const listed = { collection: webHookCollection, code: "web_hook", thing: "web hook" } as const;

export const getWebHooks = defineQuery({
  name: "get_web_hooks",
  method: "GET",
  summary: "List all web hooks.",
  access: credentials,
  input: NoParameters,
  output: listOf(WebHook),
  handler: (_input, { definitions }) => andThen(definitions.all(webHookCollection), asList),
});

export const getWebHook = defineQuery({
  name: "get_web_hook",
  method: "GET",
  summary: "Read one web hook.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ web_hook: WebHook }),
  handler: ({ id }, { definitions }) => andThen(findListed(definitions, listed, id), (hook) => ({ web_hook: hook })),
});

export const createWebHook = defineCommand({
  name: "create_web_hook",
  method: "POST",
  summary: "Create a web hook; the id is generated when absent.",
  access: privilege("create_web_hooks"),
  input: CreateWebHook,
  output: z.object({ web_hook: WebHook }),
  together: true,
  async handler(input, { actor, audit, emit, ids, now, services, tx }) {
    const id = input.id ?? ids.short("w");
    checkHeaders(id, input.headers);
    const hook = newWebHook(input, { id, username: actor.id, now });
    requireMacros(hook, services);
    // A secret may name the id still, from a hook that was deleted.
    requireKeeper(id, { actor, services });
    await insertListed(tx, listed, hook);
    audit("web_hook_create", { web_hook: hook });
    emit("web_hook.created", { id });
    return { web_hook: hook };
  },
});

export const updateWebHook = defineCommand({
  name: "update_web_hook",
  method: "POST",
  summary: "Change a web hook; members not sent stay as they are.",
  access: privilege("edit_web_hooks"),
  input: UpdateWebHook,
  output: Done,
  async handler(input, { actor, audit, emit, now, services, tx }) {
    const headers = checkHeaders(input.id, input.headers);
    // Only what was sent is judged: an imported hook with an old fault can still be disabled.
    requireMacros({ ...input, url: input.url ?? "", headers }, services);
    const hook = await updateListed(tx, listed, input, (stored) => {
      const changed = updateRecord(stored, input, now);
      if (isRedirected(stored, changed)) requireKeeper(input.id, { actor, services });
      return changed;
    });
    const member = outOfBounds(hook, input);
    if (member !== undefined) throw new InputError(`Malformed parameter: ${member}`);
    audit("web_hook_update", { web_hook: hook });
    emit("web_hook.updated", { id: input.id });
    return {};
  },
});

export const deleteWebHook = defineCommand({
  name: "delete_web_hook",
  method: "POST",
  summary: "Remove a web hook; actions that name it fail from now on.",
  access: privilege("delete_web_hooks"),
  input: z.looseObject({ id: Id }),
  output: Done,
  async handler({ id }, { audit, emit, tx }) {
    const hook = await deleteListed(tx, listed, id);
    await tx.collection(webHookCountCollection).delete(id);
    audit("web_hook_delete", { web_hook: hook });
    emit("web_hook.deleted", { id });
    return {};
  },
});
