/**
 * For handlers that mount the API alongside their own pages, as the dashboard does.
 *
 * @module
 */
export {
  type Answer,
  type CallHandler,
  callForm,
  type Handler,
  handlerOf,
  type PlainHandler,
  plainForm,
} from "./answer/plain-answer.ts";
export { isFromForeignPage } from "./caller/cors.ts";
export { pathOf } from "./input/query.ts";
export { mountRouter } from "./router.ts";
