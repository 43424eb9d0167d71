import * as z from "zod";
import type { StreamContext } from "../../../kernel/calls/context.ts";
import { anyone, defineStream, type StreamResult } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { once } from "../../../lib/files/once.ts";
import { formHeaders, formPage, formScript } from "../rules/form-page.ts";
import { offeredFiles } from "../rules/magic-request.ts";
import { type MagicLink, readMagicPath } from "../services/magic-links.ts";

export const form = defineStream({
  name: "form",
  summary: "The page of a magic link: asks for the fields of its event, launches it and shows how the job goes.",
  access: anyone,
  accepts: "anything",
  input: z.looseObject({}),
  async handler(_input, context): Promise<StreamResult> {
    const { key, event, trigger } = openLink(context);
    const nonce = context.ids.token();
    const html = formPage({
      title: event.title,
      body: typeof trigger["body"] === "string" ? trigger["body"] : "",
      fields: event.fields,
      files: offeredFiles(event.limits),
      key,
      nonce,
    });
    return { contentType: "text/html; charset=utf-8", headers: formHeaders(nonce), body: once(html) };
  },
});

export const formConfig = defineStream({
  name: "form_config",
  summary: "The facts of a magic link as a script for the page of a client.",
  access: anyone,
  accepts: "anything",
  input: z.looseObject({}),
  async handler(_input, context): Promise<StreamResult> {
    const { key, event, trigger } = openLink(context);
    const { title, icon, fields, limits } = event;
    const body = trigger["body"] ?? "";
    const script = formScript({ ID: "Form", title, icon, fields, limits, body, token: key });
    return { contentType: "text/javascript; charset=utf-8", body: once(script) };
  },
});

function openLink({ client, services }: StreamContext): MagicLink & { readonly key: string } {
  const { key } = readMagicPath(client.pathSuffix);
  const link = services.magicLinks.find(key, client.ip);
  if (!link.event.enabled) throw new DomainError("event", "conflict", `Event is disabled: ${link.event.title}`);
  return { ...link, key };
}
