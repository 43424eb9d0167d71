type Values = readonly (number | null)[];

export interface Line {
  readonly name: string;
  readonly values: Values;
}

/** What one chart draws. All lists are as long as `times`. */
export interface Drawing {
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Line[];
  /** From the lowest to the highest of many. */
  readonly band?: { readonly name: string; readonly low: Values; readonly high: Values } | undefined;
  readonly from: number;
  readonly to: number;
  /** Seconds between two reports. */
  readonly step: number;
  readonly limit?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly isClose?: boolean | undefined;
  readonly firing?: readonly (readonly [number, number])[] | undefined;
  /** Numbers of the upright axis, without their unit. */
  text(value: number): string;
}

export interface PlotHandlers {
  /** Charts of one key share a cursor. */
  readonly sync: string;
  readonly width: number;
  readonly height: number;
  onCursor(index: number | undefined): void;
  onZoom(from: number, to: number): void;
  onReset(): void;
}

export interface Plot {
  update(drawing: Drawing): void;
  point(index: number | undefined): void;
  destroy(): void;
}
