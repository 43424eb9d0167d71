import type { Mail, Mailer } from "../../src/ports/outside/mailer.ts";

/** A mailer that first fails with the given errors, then keeps the mails it receives. */
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
