import * as z from "zod";
import type { Client } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { lateSignal } from "../../../kernel/running/loops.ts";
import { causeIn } from "../../../kernel/transactions/unit-scope.ts";
import { logoOf, withLogo } from "../../../lib/mail/logo.ts";
import { retryPause } from "../../../lib/network/mail-retry.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { Cause } from "../../../wire/cause.ts";
import { object } from "../../../wire/schemas/objects.ts";
import type { User } from "../model.ts";
import { type AccountMailTemplate, accountMailText } from "../rules/mails.ts";

/** Mails owners about changes of their accounts. Without a mailer or a sender address nothing is sent. */
export interface AccountMails {
  isEnabled(): boolean;
  /** Sends after the commit, to the address of the given `user`. */
  queue(tx: WriteTx, mail: AccountMail): Promise<void>;
}

export interface AccountMail {
  readonly template: AccountMailTemplate;
  readonly user: User;
  /** The client that caused the mail. */
  readonly client: Client;
  /** For `recover_password`: the nonce from which the key is derived. */
  readonly nonce?: string;
  /** For `logout_all_sessions`: number of ended sessions. */
  readonly sessions?: number;
}

export const ACCOUNT_MAIL_KIND = "users.mail";

const Payload = object(() => ({
  template: z.enum(["welcome_new_user", "changed_password", "recover_password", "logout_all_sessions"]),
  user: z.string(),
  username: z.string(),
  fullName: z.string(),
  to: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  nonce: z.string().optional(),
  sessions: z.number().optional(),
  /** Message id, on attempts after the first. */
  messageId: z.string().optional(),
  failures: z.int().default(0),
  /** Absent on mails that an older release queued. */
  cause: Cause.optional(),
}));
type Payload = z.infer<typeof Payload>;

export function createAccountMails({ config, mailer }: Pick<Cradle, "config" | "mailer">): AccountMails {
  const isEnabled = (): boolean => mailer !== undefined && config.email_from !== "";
  return {
    isEnabled,
    async queue(tx, { template, user, client, nonce, sessions }) {
      if (!isEnabled() || user.email === "") return;
      const payload: z.input<typeof Payload> = {
        template,
        user: user.id,
        username: user.username,
        fullName: user.full_name,
        to: user.email,
        ip: client.ip,
        userAgent: client.userAgent,
        cause: causeIn(tx),
        ...(nonce === undefined ? {} : { nonce }),
        ...(sessions === undefined ? {} : { sessions }),
      };
      await tx.enqueue(ACCOUNT_MAIL_KIND, payload);
    },
  };
}

/** Worker of queued account mails. Retries when the mail server is busy, like any other mail (docs/contract/mail.md#sending). */
export const sendAccountMail: WorkHandler = async (item, cradle, signal) => {
  const { mailer, clock, log, transact } = cradle;
  if (!mailer) throw new Error("This node has no mailer");
  const payload = Payload.parse(item.payload);
  const { template, failures, messageId = `<${item.id}@signalbox>` } = payload;
  const mail = withLogo({ ...letterOf(payload, cradle), messageId });
  using late = lateSignal(clock, signal);
  try {
    await mailer.send(mail, late.signal);
  } catch (error) {
    // The engine is stopping; the next one sends the mail.
    if (late.signal.aborted) throw error;
    const pauseSec = retryPause(error, failures + 1);
    if (pauseSec === undefined) return log.error({ template, messageId, error }, "A mail could not be sent");
    const again: Payload = { ...payload, messageId, failures: failures + 1 };
    await transact(({ tx }) => tx.enqueue(ACCOUNT_MAIL_KIND, again, { runAt: clock.now() + pauseSec }));
  }
};

function letterOf(payload: Payload, { config, recovery }: Pick<Cradle, "config" | "recovery">) {
  const { template, user, nonce, to, username, fullName, ip, userAgent, sessions = 0 } = payload;
  const facts = {
    username,
    fullName,
    ip,
    userAgent,
    sessions,
    product: config.client.name,
    url: config.base_app_url,
    // Derived again here, so that no table contains the key: neither its record nor this item reveals it.
    ...(nonce === undefined ? {} : { key: recovery.keyOf(user, nonce) }),
  };
  const { html, ...plain } = accountMailText(template, facts, logoOf(config.email_logo));
  return { from: config.email_from, to: [to], ...plain, ...(config.email_format === "html" ? { html } : {}) };
}
