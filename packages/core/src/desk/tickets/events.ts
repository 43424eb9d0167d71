export interface TicketEvents {
  /** `by` wrote it: a user name, the id of an API key, or "system". */
  "ticket.created": { id: string; num: number; category: string; by: string };
  /**
   * Also for entries, and for files that came or went; `keys` names the changed members. `from`: the category that it had before,
   * where it has another now.
   */
  "ticket.updated": { id: string; num: number; category: string; by: string; keys: readonly string[]; from?: string };
  "ticket.deleted": { id: string; num: number; category: string; by: string };
}
