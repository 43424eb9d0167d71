import type { Mail } from "../../../ports/outside/mailer.ts";

/** Report on a sent mail, as Markdown, without its text. */
export function mailDetails(
  mail: Mail,
  more: { readonly malformed?: readonly string[]; readonly attempts?: number } = {},
): string {
  const { from, to, cc, bcc, subject, messageId, attachments = [] } = mail;
  const line = (name: string, values: readonly string[] = []): string[] =>
    values.length > 0
      ? [`- **${name}:** ${values.map((value) => `\`${value.replaceAll("`", "'")}\``).join(", ")}`]
      : [];
  return [
    ...line("From", [from]),
    ...line("To", to),
    ...line("Cc", cc),
    ...line("Bcc", bcc),
    ...line("Subject", [subject]),
    ...line("Message-ID", [messageId]),
    ...line(
      "Attachments",
      attachments.map(({ filename }) => filename),
    ),
    ...line("Not an address", more.malformed),
    ...(more.attempts === undefined ? [] : [`- **Attempts:** ${more.attempts}`]),
  ].join("\n");
}
