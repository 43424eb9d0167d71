import type { Mail, Mailer } from "../../src/ports/outside/mailer.ts";

/** Takes every mail and keeps it. */
export function keepingMailer(): { readonly mailer: Mailer; readonly sent: Mail[] } {
  const sent: Mail[] = [];
  return { sent, mailer: { send: async (mail) => void sent.push(mail) } };
}
