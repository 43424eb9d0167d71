type Code = typeof import("./plot.ts");
let code: Promise<Code> | undefined;

/** The code that draws. A page that will have charts asks for it beside its data, not behind them. */
export function loadPlot(): Promise<Code> {
  if (!code) {
    code = import("./plot.ts");
    // The chart that waits for it says so, and the next one tries again.
    code.catch(() => {
      code = undefined;
    });
  }
  return code;
}
