import type { Cradle } from "../../../../kernel/container.ts";
import type { Place } from "../../rules/definition/subjects.ts";

/** Display names, without the parts that the configuration strips (docs/contract/alerts.md#template-data). */
export interface Display {
  hostname(text: string): string;
  ip(text: string): string;
  server(server: { readonly title?: string | null | undefined; readonly hostname: string }): string;
  /** The title, for a subject that is not a server. */
  place(place: Place): string;
}

export function createDisplay({ config, expressions, log }: Pick<Cradle, "config" | "expressions" | "log">): Display {
  /** Strips what matches the pattern. The pattern is read from the configuration each time, as it may change. */
  const stripper = (key: "hostname_display_strip" | "ip_display_strip"): ((text: string) => string) => {
    let [pattern, strip] = ["", (text: string): string => text];
    return (text) => {
      if (config[key] !== pattern) [pattern, strip] = [config[key], compiled(config[key])];
      return strip(text);
    };
  };
  const compiled = (pattern: string): ((text: string) => string) => {
    if (pattern === "") return (text) => text;
    try {
      const regex = expressions.regexes.compile(pattern);
      return (text) => {
        const found = regex.exec(text);
        return found ? text.slice(0, found.index) + text.slice(found.index + found[0].length) : text;
      };
    } catch (error) {
      log.error({ pattern, error }, "A pattern of the configuration is no regular expression; nothing is stripped");
      return (text) => text;
    }
  };
  const hostname = stripper("hostname_display_strip");
  const server: Display["server"] = ({ title, hostname: name }) =>
    title ? `${title} (${hostname(name)})` : hostname(name);
  return {
    hostname,
    ip: stripper("ip_display_strip"),
    server,
    place: (place) => place.about?.subject.title ?? server(place),
  };
}
