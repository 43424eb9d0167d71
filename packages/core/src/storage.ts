/**
 * The API for storage packages: the port they implement, types of its records and searches, and helpers that all storages share.
 * `storageConformance` of `@signalbox/core/testing` checks an implementation.
 *
 * @module
 */
import "./engine/widened.ts";

export {
  ConflictError,
  DuplicateError,
  NotFoundError,
  StorageError,
  type StorageFault,
  type StoreName,
} from "./kernel/errors/errors.ts";
export { splitWords } from "./lib/text/split-words.ts";
export { gatherMore } from "./lib/turns/gather-more.ts";
export type { Coordination, NodeMessage, Term } from "./ports/nodes/coordination.ts";
export { localCoordination } from "./ports/nodes/local-coordination.ts";
export type { Beats, NodeRow, NodeState, StoredNode } from "./ports/nodes/nodes.ts";
export {
  type AnyCollection,
  type Collection,
  type CollectionDefinition,
  type Column,
  type ColumnValue,
  defineCollection,
  type Page,
  type ReadCollection,
  type StoredRecord,
} from "./ports/storage/collection.ts";
export type {
  AdoptedTransaction,
  ReadAtOnce,
  ReadTx,
  Storage,
  StorageUpkeep,
  WriteTx,
} from "./ports/storage/storage.ts";
export { requireDocuments, type StoredDocument } from "./ports/storage/stored-document.ts";
export type { ReadTimeline, SeriesKey, Timeline, TimelineEntry, TimelinePoint } from "./ports/storage/timeline.ts";
export type { ClaimOptions, EnqueueOptions, WorkItem, WorkQueue } from "./ports/storage/work.ts";
export { equal, everything, nothing, type SearchNode } from "./search/ast.ts";
export {
  cleanText,
  columnValues,
  type IndexTerm,
  indexText,
  isStorableId,
  isWord,
  normaliseValue,
  termSets,
  termsOf,
  textWords,
} from "./search/index-values.ts";
export { analyseKeywords, analyseWords, ENTRY_BREAK } from "./search/text/analyse.ts";
export { analyseText, separateEntries, type TextAnalysis } from "./search/text/analyse-text.ts";
