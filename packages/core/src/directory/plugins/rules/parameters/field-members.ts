import { entriesOf, type Known } from "../../../../wire/schemas/known-members.ts";

/** Members of a parameter definition (docs/contract/parameters.md#definitions). */
export const knownFields: Known = entriesOf({
  names: [
    ...["id", "title", "type", "variant", "value", "caption", "required", "locked", "regex", "range", "multiple"],
    ...["bucket_id", "bucket_path", "list_id", "data"],
  ],
});
