export { type LogMailer, logMailer } from "./log-mailer.ts";
export { type SmtpMailer, type SmtpMailerOptions, smtpMailer } from "./smtp-mailer.ts";
export { parseSmtpUrl, type SmtpServerOptions, type SmtpTls } from "./smtp-options.ts";
