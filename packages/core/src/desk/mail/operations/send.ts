import * as z from "zod";
import type { PrepareContext, Upload } from "../../../kernel/calls/context.ts";
import { admin, defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { InputError, SignalboxError } from "../../../kernel/errors/errors.ts";
import { messageOf } from "../../../lib/message-of.ts";
import { oneLine } from "../../../lib/text/one-line.ts";
import type { Mail, MailAttachment } from "../../../ports/outside/mailer.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { readAddresses } from "../../texts/addresses.ts";
import { writtenBody, writtenHeaders } from "../rules/written-mail.ts";
import { composeWritten, mailHost } from "../services/compose.ts";
import { deliveryText, mailDetails } from "../services/details.ts";

const Line = z.string().max(10_000);
const Text = Line.regex(/\S/);
/** Maximum characters: rendering blocks the event loop for ten milliseconds per megabyte. */
const MAX_BODY = 1_000_000;
const SendEmail = looseObject(() => ({
  to: z.string().regex(/\S/).describe("Addresses, separated by commas."),
  subject: Text,
  body: z.string().max(MAX_BODY).regex(/\S/).describe("Markdown; `![words](cid:name)` shows the file of that name."),
  cc: z.string().optional(),
  bcc: z.string().optional(),
  title: Line.optional().describe("Heading of the page; default: the subject."),
  button: Line.optional().describe("`LABEL | URL`"),
  headers: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Further headers; headers of the envelope are refused."),
}));
type SendEmail = z.output<typeof SendEmail>;

const Sent = object(() => ({ code: z.literal(0), description: z.string(), details: z.string() }));
type Sent = z.output<typeof Sent>;

export const sendEmail = defineCommand({
  name: "send_email",
  files: true,
  summary:
    "Send a mail written by a user; files of the form are attached, or shown in the text where it names them by `cid:`.",
  access: privilege("send_emails"),
  refuses: ["email"],
  input: SendEmail,
  output: Sent,
  /** A mail server may be slow, so no transaction waits for it. */
  async prepare(input, context): Promise<Sent> {
    const mail = writtenMail(input, context);
    const { hasFailed, description, details } = await transmit(mail, context);
    if (hasFailed) throw new SignalboxError("email", description, { details: { details } });
    return { code: 0, description, details };
  },
  async handler(_input, { prepared }) {
    return prepared;
  },
});

export const adminSendTestEmail = defineCommand({
  name: "admin_send_test_email",
  summary: "Send a mail that only shows that mails arrive; a failure is an answer too.",
  access: admin,
  input: looseObject(() => ({ to: z.string().regex(/\S/) })),
  output: object(() => ({ ...Sent.shape, err: z.boolean() })),
  async prepare({ to }, context) {
    const { client } = context.config;
    const body = `This is a test of the mails of ${client.name}. It was sent by ${context.actor.title || context.actor.id}.`;
    const mail = writtenMail({ to, subject: `${client.name}: Test`, body }, context);
    const { hasFailed, description, details } = await transmit(mail, context);
    return { code: 0 as const, err: hasFailed, description, details };
  },
  async handler(_input, { prepared }) {
    return prepared;
  },
});

interface Outcome {
  readonly hasFailed: boolean;
  readonly description: string;
  /** Report in Markdown. */
  readonly details: string;
}

/** Sends a mail. Gives up when the caller disconnects, or after the timeout of actions. */
async function transmit(mail: Mail, { clock, config, services, signal }: PrepareContext): Promise<Outcome> {
  const limit = new AbortController();
  using _timer = clock.after(config.action_timeout * 1000, () => limit.abort(new Error("It took too long")));
  try {
    const sent = await services.mails.transmit(mail, { signal: AbortSignal.any([signal, limit.signal]) });
    const details = mailDetails(mail, { refused: sent.refused });
    return { hasFailed: false, description: deliveryText(mail.to, sent), details };
  } catch (error) {
    const description = `Failed to send e-mail: ${mail.to.join(", ")}: ${messageOf(error)}`;
    return { hasFailed: true, description, details: mailDetails(mail) };
  }
}

function writtenMail(input: SendEmail, { config, ids, services, uploads }: PrepareContext): Mail {
  const headers = writtenHeaders(input.headers ?? {});
  if (!headers) throw new InputError("Malformed parameter: headers");
  const body = writtenBody(input.body, uploads, mailHost(config.base_app_url));
  const addresses = { to: plainList("to", input.to), cc: plainList("cc", input.cc), bcc: plainList("bcc", input.bcc) };
  requireRoom(uploads);
  if (addresses.to.length === 0) throw new InputError("Malformed parameter: to");
  const { subject, title = "", button = "" } = input;
  const attachments = uploads.map((upload, index) => attachmentOf(upload, body.contentIds[index], services));
  return composeWritten(config, { ...addresses, subject, title, button, body, headers, attachments, key: ids.token() });
}

/** Reads addresses without names (docs/contract/mail.md#sending). */
function plainList(name: string, text = ""): readonly string[] {
  const { addresses, malformed } = readAddresses(text);
  if (malformed.length > 0 || addresses.some((address) => address.includes("<")))
    throw new InputError(`Malformed parameter: ${name}`);
  return addresses;
}

/** Maximum bytes of all files in one mail, since mail servers refuse larger mails. */
const MAX_FILES_BYTES = 50 * 1024 * 1024;

function requireRoom(uploads: readonly Upload[]): void {
  const size = uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (size > MAX_FILES_BYTES) throw new SignalboxError("email", "The files of one mail may have 50 MB altogether.");
}

function attachmentOf(
  { filename, key }: Upload,
  contentId: string | undefined,
  { files }: PrepareContext["services"],
): MailAttachment {
  const open = async (): Promise<AsyncIterable<Uint8Array>> => {
    const file = await files.get(key);
    if (!file) throw new Error("A file vanished before it was sent");
    return file.content;
  };
  return { filename: oneLine(filename), open, ...(contentId === undefined ? {} : { contentId }) };
}
