import type { HostEvent, Plugin } from "../kernel/plugins/plugin.ts";
import type { AgentTransport } from "../ports/agents/agent-transport.ts";
import type { ProcessRunner } from "../ports/agents/process-runner.ts";
import type { Clock } from "../ports/clock.ts";
import type { Documents } from "../ports/documents.ts";
import type { IdGenerator } from "../ports/ids.ts";
import type { LogFiles } from "../ports/log-files.ts";
import type { Logger } from "../ports/logger.ts";
import type { Fetch } from "../ports/outside/fetch.ts";
import type { Mailer } from "../ports/outside/mailer.ts";
import type { WebHookClient } from "../ports/outside/web-hook-client.ts";
import type { Random } from "../ports/random.ts";
import type { KeyProvider } from "../ports/secrets/key-provider.ts";
import type { PasswordVerifier } from "../ports/secrets/password-verifier.ts";
import type { SecretLog } from "../ports/secrets/secret-log.ts";
import type { BlobStore } from "../ports/storage/blob-store.ts";
import type { Storage } from "../ports/storage/storage.ts";
import type { Tracer } from "../ports/tracer.ts";
import type { ConfigInput } from "./config.ts";

/** Options of an engine. Only `storage` and a secret key have no default. */
export interface SignalboxOptions<Plugins extends readonly Plugin[]> {
  readonly storage: Storage;
  /** Signs tokens and seals secrets; at least 16 characters. Give this or `secretKeys`. */
  readonly secretKey?: string;
  /** The current key first, then the keys that older secrets may still be sealed with, until a rotation is finished. */
  readonly secretKeys?: readonly string[];
  /**
   * Holds the keys that seal secrets, instead of `secretKeys`, which then only sign tokens. A provider with `keep` holds the
   * signing keys too, and `admin_rotate_secret_key` changes them: then neither `secretKey` nor `secretKeys` is needed.
   */
  readonly keyProvider?: KeyProvider;
  readonly plugins?: Plugins;
  /** Events whose work is a function of this program; see `defineEvent`. */
  readonly events?: readonly HostEvent[];
  readonly agents?: AgentTransport | readonly AgentTransport[];
  /**
   * Default: the store that the storage offers; SQLite offers a folder beside its file. PostgreSQL offers none: without this,
   * files and the output of jobs are kept in memory and lost at a restart, as `start` and `admin_get_config` report.
   */
  readonly blobs?: BlobStore;
  readonly mailer?: Mailer;
  readonly webHooks?: WebHookClient;
  /** Lets plugins start child processes on this machine; absent = forbidden. */
  readonly processes?: ProcessRunner;
  readonly config?: ConfigInput;
  /** Key of the first administrator on a fresh installation, at least 24 characters; default: a random one. */
  readonly administratorKey?: string | undefined;
  /** Password of the user `admin` on a fresh installation, not empty; default: a random one. */
  readonly administratorPassword?: string | undefined;
  /** Accepts password hashes of other systems; the next login replaces them with our own. */
  readonly verifyPassword?: PasswordVerifier;
  /** Default: warnings and errors go to the console. `silentLogger` drops everything. */
  readonly log?: Logger;
  /** Logs that administrators may search; usually the same `fileLogger` as `log`. */
  readonly logFiles?: LogFiles;
  /** Pages that administrators may read and search: `manual()`, or your own. */
  readonly documents?: Documents;
  /** Called for every routine use of a secret, before it is opened; default: a line of `log`. */
  readonly secretLog?: SecretLog;
  /** Receives the spans of calls, jobs and storage, such as `openTelemetry()`; absent = nothing is traced. */
  readonly tracer?: Tracer;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The `fetch` that functions of the host receive. Default: Node's. */
  readonly fetch?: Fetch;
  /**
   * The release of the host program, such as a commit: stored as `code_version` in its jobs and alerts. Up to 64
   * letters, digits and `_-.:/+=@`. Default: a hash of the events, their functions and the plugins that it has defined.
   */
  readonly codeVersion?: string | undefined;
  readonly ids?: IdGenerator;
}
