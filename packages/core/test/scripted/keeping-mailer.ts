import type { Mail, Mailer } from "../../src/ports/outside/mailer.ts";

/** Keeps the mails that it is given, after the failures that it was told of. */
export function keepingMailer(...failures: Error[]): { readonly mailer: Mailer; readonly sent: Mail[] } {
  const sent: Mail[] = [];
  const mailer: Mailer = {
    async send(mail) {
      const failure = failures.shift();
      if (failure) throw failure;
      sent.push(mail);
    },
  };
  return { mailer, sent };
}
