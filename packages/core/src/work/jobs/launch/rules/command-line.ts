/** Quotes that are open: none, or of one kind. */
type Quote = "" | "'" | '"';

/** The quote that is open behind a piece of a command line, as a POSIX shell reads it. */
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

/** A value in each kind of quotes, so that it neither ends them nor begins another argument. */
const WRITTEN: Readonly<Record<Quote, (text: string) => string>> = {
  "": (text) => (/[\s"'$`\\]/.test(text) ? `"${escaped(text)}"` : text),
  '"': escaped,
  "'": (text) => text.replaceAll("'", String.raw`'\''`),
};

/**
 * Makes the function that writes the values of a command line's macros, which come in their order: each stays one
 * argument, or a part of one (docs/contract/expressions.md#insertion).
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
