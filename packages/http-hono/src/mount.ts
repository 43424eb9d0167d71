/**
 * For handlers that mount the API among pages of their own, as the dashboard does.
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
} from "./plain-answer.ts";
export { pathOf } from "./query.ts";
export { mountRouter } from "./router.ts";
