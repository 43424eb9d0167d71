/** Size and age of a blob. */
export interface BlobInfo {
  readonly sizeBytes: number;
  /** Unix seconds. */
  readonly modified: number;
}

/**
 * Stores streams by key. Keys are slash-separated names of `[A-Za-z0-9_.-]`, 1024 characters at most; others, and names of dots
 * alone, are refused with `TypeError`. A reader gets one content from its first byte to its last, even if the blob is replaced
 * meanwhile; when the content disappears, reading fails and never ends early. Errors do not contain whole keys: a caller that
 * knows a key may read the file.
 */
export interface BlobStore {
  /**
   * True when everything is in the memory of this process and ends with it: large contents that may be missing are not stored
   * here.
   */
  readonly isForgetful?: boolean;
  /**
   * The reason why nothing can be stored now, with the place and the remedy, as a sentence for the person who starts the engine;
   * undefined when all is well. Changes nothing.
   */
  fault?(): Promise<string | undefined>;
  /** Stores the whole stream or nothing; replaces an older blob. Rejects when the stream fails. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<BlobInfo>;
  /** `range` is inclusive at both ends, in bytes. */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<(BlobInfo & { content: AsyncIterable<Uint8Array> }) | undefined>;
  head(key: string): Promise<BlobInfo | undefined>;
  delete(key: string): Promise<boolean>;
  /** Keys below a prefix, in byte order, at most `limit`, after `after`. */
  list(prefix: string, page: { limit: number; after?: string }): Promise<string[]>;
  /**
   * Renames a blob, replacing an older one at `to`; undefined when there is none at `from`. Stores that could only read the blob
   * and store it again leave this out.
   */
  move?(from: string, to: string): Promise<BlobInfo | undefined>;
  /** Removes parts, which `list` does not show, of uploads that were interrupted before a time (Unix seconds). */
  tidy?(before: number): Promise<void>;
}
