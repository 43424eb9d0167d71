/**
 * The API for adapters: the ports that an engine is handed, which are agents, blob stores, mailers, processes, web
 * hooks and logs, and the checks of options that all of them share.
 *
 * @module
 */
import "./widened.ts";

export { pause } from "./kernel/loops.ts";
export { checkBlobKey } from "./lib/blob-key.ts";
export {
  checkOptions,
  given,
  givenText,
  type OptionRule,
  type OptionRules,
  optional,
  optionalCount,
  optionalFlag,
  optionalOneOf,
  optionalPositive,
  optionalText,
  optionalWhole,
  required,
  requiredPart,
  requiredText,
} from "./lib/check-options.ts";
export { displayName, outputName } from "./lib/file-names.ts";
export { membersOf } from "./lib/is-object.ts";
export { isSurelyLonger, leastJsonLength } from "./lib/json-size.ts";
export { JsonText } from "./lib/json-text.ts";
export { keptText } from "./lib/kept-text.ts";
export { messageOf } from "./lib/message-of.ts";
export { publishedFile } from "./lib/published-file.ts";
export { residentBytes } from "./lib/resident-bytes.ts";
export { settleAll } from "./lib/settle-all.ts";
export { textOrNothing } from "./lib/text-of.ts";
export type {
  AgentLink,
  AgentMessage,
  AgentReceiver,
  AgentTransport,
  AgentTransportContext,
  Channel,
  ChannelSocket,
  FunctionFiles,
  HostFunction,
  HostFunctionCall,
  OpenChannel,
  WorkerFunction,
} from "./ports/agent-transport.ts";
export type { BlobInfo, BlobStore } from "./ports/blob-store.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type { Documents } from "./ports/documents.ts";
export { createFunctionFiles, type FunctionFilesOptions, inputFileKey, type KeptFile } from "./ports/function-files.ts";
export { createIds, type IdGenerator } from "./ports/ids.ts";
export type { KeyProvider } from "./ports/key-provider.ts";
export type { LogFiles } from "./ports/log-files.ts";
export { consoleLogger, isUnasked, type LogFields, type Logger, silentLogger } from "./ports/logger.ts";
export type { Mail, MailAttachment, Mailer } from "./ports/mailer.ts";
export type { PasswordVerifier } from "./ports/password-verifier.ts";
export type { DnsProbe, Probe, ProbeAnswer, TcpProbe, TlsProbe } from "./ports/probe.ts";
export type { LeftFile, ProcessExit, ProcessRunner, ProcessSpec, RunningProcess } from "./ports/process-runner.ts";
export { type Random, systemRandom } from "./ports/random.ts";
export type { SecretLog, SecretLogEntry } from "./ports/secret-log.ts";
export type { Span, SpanEnd, SpanStart, Tracer } from "./ports/tracer.ts";
export type { WebHookClient, WebHookRequest, WebHookResponse, WebHookTargets } from "./ports/web-hook-client.ts";
export { markChecked } from "./wire/common.ts";
export { endOfJsonText, isOverJsonBounds } from "./wire/json-bounds.ts";
