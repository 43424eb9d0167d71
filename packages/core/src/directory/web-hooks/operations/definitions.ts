import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { webHookCollection, webHookCountCollection } from "../collection.ts";
import { CreateWebHook, UpdateWebHook, WebHook } from "../model.ts";
import { isRedirected, newWebHook, outOfBounds } from "../rules/record.ts";
import { checkHeaders, requireKeeper, requireMacros } from "./checks.ts";

const webHooks = new ListedOperations({
  collection: webHookCollection,
  record: WebHook,
  name: "web_hook",
  plural: "web_hooks",
  thing: "web hook",
  prefix: "w",
});

export const getWebHooks = webHooks.list({ summary: "List all web hooks." });

export const getWebHook = webHooks.get({ summary: "Read one web hook." });

export const createWebHook = webHooks.create({
  summary: "Create a web hook; the id is generated when absent.",
  input: CreateWebHook,
  together: true,
  draft(input, stamp, { actor, services }) {
    checkHeaders(stamp.id, input.headers);
    const hook = newWebHook(input, stamp);
    requireMacros(hook, services);
    // A secret may still name the id of a hook that was deleted.
    requireKeeper(stamp.id, { actor, services });
    return hook;
  },
});

export const updateWebHook = webHooks.update({
  summary: "Change a web hook; members not sent stay unchanged.",
  input: UpdateWebHook,
  before(input, { services }) {
    const headers = checkHeaders(input.id, input.headers);
    // Checks only members that were sent, so that an imported hook with an old fault can still be disabled.
    requireMacros({ ...input, url: input.url ?? "", headers }, services);
  },
  change(stored, input, { actor, now, services }) {
    const changed = updateRecord(stored, input, now);
    if (isRedirected(stored, changed)) requireKeeper(input.id, { actor, services });
    return changed;
  },
  after(hook, input) {
    const member = outOfBounds(hook, input);
    if (member !== undefined) throw new InputError(`Malformed parameter: ${member}`);
  },
});

export const deleteWebHook = webHooks.delete({
  summary: "Remove a web hook; actions that name it fail from now on.",
  async after({ id }, { tx }) {
    await tx.collection(webHookCountCollection).delete(id);
  },
});
