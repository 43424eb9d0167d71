/** One figure with all of its samples; its labels take few, known values, which bounds their number. */
export interface Figure {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

const labelsOf = (labels: Readonly<Record<string, string>> = {}): string => {
  const each = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return each.length === 0 ? "" : `{${each.join(",")}}`;
};

/** The Prometheus text format, version 0.0.4. */
export const metricsText = (figures: readonly Figure[]): string =>
  figures
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(({ labels, value }) => `${name}${labelsOf(labels)} ${value}`);
      return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
    })
    .join("");
