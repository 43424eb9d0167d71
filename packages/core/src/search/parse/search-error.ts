/** A query cannot be parsed; the message tells its author why. */
export class SearchError extends Error {
  override readonly name = "SearchError";
}
