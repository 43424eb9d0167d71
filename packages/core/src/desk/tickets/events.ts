export interface TicketEvents {
  /** `by` is the writer: a user name, the id of an API key, or "system". */
  "ticket.created": { id: string; num: number; category: string; by: string };
  /**
   * Also emitted for entries, and for files that were added or removed. `keys` names the changed members; `from` is the previous
   * category, if the category changed.
   */
  "ticket.updated": { id: string; num: number; category: string; by: string; keys: readonly string[]; from?: string };
  "ticket.deleted": { id: string; num: number; category: string; by: string };
}
