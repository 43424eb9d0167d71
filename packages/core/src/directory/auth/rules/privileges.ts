/** Privilege id → title (docs/contract/privileges.md#privileges). No privilege implies another except `admin`. */
const OBJECTS: readonly (readonly [string, string])[] = [
  ["alerts", "Alerts"],
  ["buckets", "Buckets"],
  ["categories", "Categories"],
  ["channels", "Channels"],
  ["events", "Events"],
  ["groups", "Groups"],
  ["monitors", "Monitors"],
  ["plugins", "Plugins"],
  ["roles", "Roles"],
  ["tags", "Tags"],
  ["tickets", "Tickets"],
  ["web_hooks", "Web Hooks"],
];

const verbs = (id: string, title: string): [string, string][] => [
  [`create_${id}`, `Create ${title}`],
  [`edit_${id}`, `Edit ${title}`],
  [`delete_${id}`, `Delete ${title}`],
];

export const PRIVILEGES: Readonly<Record<string, string>> = Object.fromEntries([
  ["admin", "Administrator"],
  ...OBJECTS.flatMap(([id, title]) => verbs(id, title)),
  ["run_jobs", "Run Jobs"],
  ["abort_jobs", "Abort Jobs"],
  ["delete_jobs", "Delete Jobs"],
  ["tag_jobs", "Job Tags"],
  ["create_snapshots", "Create Snapshots"],
  ["delete_snapshots", "Delete Snapshots"],
  ["add_servers", "Add Servers"],
  ["update_servers", "Update Servers"],
  ["send_emails", "Send Emails"],
  ["bulk_export", "Bulk Export"],
]);
