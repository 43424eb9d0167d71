import { entriesOf, type Known } from "../../../wire/known-members.ts";

/** Members of a parameter definition (part 10 §13.3). */
export const knownFields: Known = entriesOf([
  ...["id", "title", "type", "variant", "value", "caption", "required", "locked", "regex", "range", "multiple"],
  ...["bucket_id", "bucket_path", "list_id", "data"],
]);
