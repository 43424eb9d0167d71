/** Kind of quotes that are open, or none. */
type Quote = "" | "'" | '"';

/** The quote that is open after a piece of a command line, as a POSIX shell reads it. */
function quoteAfter(piece: string, before: Quote): Quote {
  let quote = before;
  for (let at = 0; at < piece.length; at++) {
    const sign = piece[at];
    if (sign === "\\" && quote !== "'") at++;
    else if (sign === quote) quote = "";
    else if (quote === "" && (sign === "'" || sign === '"')) quote = sign;
  }
  return quote;
}

const escaped = (text: string): string => text.replace(/(["\\$`])/g, "\\$1");

/** Escapes a value for each kind of quotes, so that it neither ends them nor begins another argument. */
const WRITTEN: Readonly<Record<Quote, (text: string) => string>> = {
  "": (text) => (/[\s"'$`\\]/.test(text) ? `"${escaped(text)}"` : text),
  '"': escaped,
  "'": (text) => text.replaceAll("'", String.raw`'\''`),
};

/**
 * Makes a function that escapes the values of a command line's macros, to be called in their order: each value stays one
 * argument, or part of one (docs/contract/expressions.md#insertion).
 */
export function argumentWriter(command: string, macros: readonly string[]): (text: string) => string {
  let rest = command;
  let quote: Quote = "";
  const quotes = macros.map((macro) => {
    const whole = `{{${macro}}}`;
    const at = rest.indexOf(whole);
    quote = quoteAfter(rest.slice(0, at), quote);
    rest = rest.slice(at + whole.length);
    return quote;
  });
  let next = 0;
  return (text) => WRITTEN[quotes[next++] ?? ""](text);
}
