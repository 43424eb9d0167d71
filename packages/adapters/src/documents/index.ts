export { type ManualOptions, manual } from "./manual.ts";
