/** A program to be started. */
export interface ProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** Empty = the system's folder for temporary files. */
  readonly cwd: string;
  /** The whole environment; only a missing `PATH` is taken from the runner. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is closed afterwards. */
  readonly stdin: string;
  /** Text of a script, kept in a file that only this user can read. Passed as the last argument and removed at the end. */
  readonly script?: string;
  /** A number is used unchanged; text is the name or number of a user that the system knows, whose group and home apply too. */
  readonly uid?: number | string;
  /** The same for a group. */
  readonly gid?: number | string;
}

/** End of a process; one of the two is null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program that was started. */
export interface RunningProcess {
  readonly pid: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly exited: Promise<ProcessExit>;
  /** `parent` signals only the process, `all` its whole group. */
  kill(signal: "SIGTERM" | "SIGKILL", scope: "parent" | "all"): void;
}

/** A file that a process left. */
export interface LeftFile {
  /** Last part of its path. */
  readonly name: string;
  readonly sizeBytes: number;
  content(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/** Starts child processes. Without one, they are forbidden. */
export interface ProcessRunner {
  /** Rejects when the process cannot be started. */
  start(spec: ProcessSpec): Promise<RunningProcess>;
  /**
   * A regular file below the folder of a process, owned by the process's own user if it had one; undefined for anything else.
   * Absent = files of processes are not collected.
   */
  readonly leftFile?: (spec: Pick<ProcessSpec, "cwd" | "uid" | "gid">, path: string) => Promise<LeftFile | undefined>;
}
