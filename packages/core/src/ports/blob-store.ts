export interface BlobInfo {
  readonly sizeBytes: number;
  /** Unix seconds. */
  readonly modified: number;
}

/** Streams by key. Keys are slash-separated names of `[A-Za-z0-9_.-]`; `.` and `..` are refused with `TypeError`. */
export interface BlobStore {
  /** Stores the whole stream or nothing; replaces what was there. Rejects when the stream fails. */
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
}
