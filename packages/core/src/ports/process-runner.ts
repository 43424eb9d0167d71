export interface ProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is closed afterwards. */
  readonly stdin: string;
  readonly uid?: number;
  readonly gid?: number;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RunningProcess {
  readonly pid: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly exited: Promise<ProcessExit>;
  /** `parent` signals the process alone, `all` its whole group. */
  kill(signal: "SIGTERM" | "SIGKILL", scope: "parent" | "all"): void;
}

/** Starts child processes. A host that gives none forbids them. */
export interface ProcessRunner {
  /** Rejects when the process cannot be started. */
  start(spec: ProcessSpec): Promise<RunningProcess>;
}
