/** The names that plugins have given to what a backup holds; what stands behind them is no matter of rules. */
export interface TransferNames {
  readonly lists: ReadonlyMap<string, unknown>;
  readonly tables: ReadonlyMap<string, unknown>;
  readonly keys: ReadonlyMap<string, { readonly list: string; readonly item: string }>;
  readonly files: ReadonlyMap<string, { readonly item: string; readonly part: string }>;
  readonly logs: ReadonlyMap<string, { readonly item: string; readonly key: string }>;
  readonly series: ReadonlyMap<
    string,
    { readonly item: string; readonly resolutions: Readonly<Record<string, unknown>> }
  >;
  readonly own: ReadonlyMap<string, unknown>;
}
