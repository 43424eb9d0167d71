import type { Cradle } from "../../../kernel/container.ts";
import type { Job } from "../model.ts";

type Deps = Pick<Cradle, "config" | "expressions" | "log">;

/** Expands macros in content of a job; text without macros is unchanged. */
export function expandContent({ config, expressions, log }: Deps, job: Job, text: string): string {
  if (!text.includes("{{")) return text;
  try {
    const context = { job, config: { base_app_url: config.base_app_url } };
    return expressions.compileTemplate(text).expand(context, { undefinedText: "n/a" });
  } catch (error) {
    log.warn({ job: job.id, error }, "Content of a job could not be expanded");
    return text;
  }
}
