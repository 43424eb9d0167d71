/**
 * The API for adapters: the ports that an engine receives (agents, blob stores, mailers, processes, web hooks and logs), and the
 * checks of options that all of them share.
 *
 * @module
 */
import "./engine/widened.ts";

export { createBreath } from "./kernel/running/breath.ts";
export { pause } from "./kernel/running/loops.ts";
export { checkBlobKey } from "./lib/files/blob-key.ts";
export { displayName, outputName } from "./lib/files/file-names.ts";
export { compilePathGlob, type PathGlob } from "./lib/files/path-glob.ts";
export { publishedFile } from "./lib/files/published-file.ts";
export { membersOf } from "./lib/json/is-object.ts";
export { isSurelyLonger, leastJsonLength } from "./lib/json/json-size.ts";
export { JsonText } from "./lib/json/json-text.ts";
export { messageOf } from "./lib/message-of.ts";
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
} from "./lib/process/check-options.ts";
export { residentBytes } from "./lib/process/resident-bytes.ts";
export { VERSION } from "./lib/process/version.ts";
export { keptText } from "./lib/text/kept-text.ts";
export { textOrNothing } from "./lib/text/text-of.ts";
export { settleAll } from "./lib/turns/settle-all.ts";
export { unlessAborted } from "./lib/turns/unless-aborted.ts";
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
} from "./ports/agents/agent-transport.ts";
export {
  createFunctionFiles,
  type FunctionFilesOptions,
  inputFileKey,
  type KeptFile,
} from "./ports/agents/function-files.ts";
export type {
  LeftFile,
  ProcessExit,
  ProcessRunner,
  ProcessSpec,
  RunningProcess,
} from "./ports/agents/process-runner.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type { Documents } from "./ports/documents.ts";
export { createIds, type IdGenerator } from "./ports/ids.ts";
export type { LogFiles } from "./ports/log-files.ts";
export {
  consoleLogger,
  isUnasked,
  type LogFields,
  type Logger,
  silentLogger,
  warnOnceAMinute,
} from "./ports/logger.ts";
export type { Mail, MailAttachment, Mailer, MailReceipt } from "./ports/outside/mailer.ts";
export type { DnsProbe, Probe, ProbeAnswer, TcpProbe, TlsProbe } from "./ports/outside/probe.ts";
export type {
  WebHookClient,
  WebHookRequest,
  WebHookResponse,
  WebHookTargets,
} from "./ports/outside/web-hook-client.ts";
export { type Random, systemRandom } from "./ports/random.ts";
export type { KeyProvider } from "./ports/secrets/key-provider.ts";
export type { PasswordVerifier } from "./ports/secrets/password-verifier.ts";
export type { SecretLog, SecretLogEntry } from "./ports/secrets/secret-log.ts";
export type { BlobInfo, BlobStore } from "./ports/storage/blob-store.ts";
export type { Span, SpanEnd, SpanStart, Tracer } from "./ports/tracer.ts";
export { markChecked, notJson } from "./wire/fields/common.ts";
export { endOfJsonText, isOverJsonBounds } from "./wire/json-bounds.ts";
