/** Names that plugins have given to the parts of a backup; the rules need not know what stands behind them. */
export interface TransferNames {
  readonly lists: ReadonlyMap<string, unknown>;
  readonly tables: ReadonlyMap<string, unknown>;
  readonly keys: ReadonlyMap<string, { readonly list: string; readonly item: string; readonly within?: string }>;
  readonly files: ReadonlyMap<string, { readonly item: string; readonly part: string }>;
  readonly logs: ReadonlyMap<string, { readonly item: string; readonly key: string }>;
  readonly series: ReadonlyMap<
    string,
    { readonly item: string; readonly resolutions: Readonly<Record<string, unknown>> }
  >;
  readonly own: ReadonlyMap<string, unknown>;
}
