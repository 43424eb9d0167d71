import { uploads } from "../../kernel/config/config-fields.ts";

/** Members of `client` (docs/contract/configuration.md#keys). */
export const bucketsClientConfig = {
  bucket_upload_settings: uploads("max_files_per_bucket"),
};
