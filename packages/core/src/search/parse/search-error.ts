/** A query cannot be read; the message is a reason for its author. */
export class SearchError extends Error {
  override readonly name = "SearchError";
}
