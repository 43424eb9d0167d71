import type { Expressions } from "../../../expressions/index.ts";

type Values = Readonly<Record<string, unknown>>;

/** A row of a list with one macro: "- **PID:** {{ job.pid }}". */
const ROW = /^- \*\*[^*]+:\*\* (\{\{[^{}]+\}\})$/;

/** A template without the rows whose value is absent, such as the process of a function in the host's code. */
export function withGivenRows(template: string, expressions: Expressions, data: Values): string {
  const isGiven = (line: string): boolean => {
    const macro = ROW.exec(line)?.[1];
    if (macro === undefined) return true;
    const value = expressions.compileTemplate(macro).expand(data, { filter: (each) => each ?? "" });
    return value !== "" && value !== "n/a";
  };
  return template.split("\n").filter(isGiven).join("\n");
}
