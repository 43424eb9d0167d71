export { type LogMailer, logMailer } from "./log-mailer.ts";
