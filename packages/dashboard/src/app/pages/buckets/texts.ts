import { catalogue } from "../../texts/catalogue.ts";

export const bucketsTexts = {
  title: "Buckets",
  create: "Create bucket",
  empty: "There are no buckets. A bucket keeps data and files that jobs and people share.",
  removal: "Its data and files are deleted for good. Actions that store to it or fetch from it will fail.",
  files: "Files",
  noFiles: "No files. Jobs put them here with the action “store into a bucket”.",
  uploaded: { one: "1 file is stored.", other: "{n} files are stored." },
  replaceHint: "A file with the same name is replaced.",
  deleteFile: "Delete {name}?",
  deleteFileWhy: "The file is deleted for good.",
  fileDeleted: "{name} is deleted.",
  emptyIt: "Empty it",
  emptyFilesTitle: "Delete all files of this bucket?",
  emptyFilesWhy: { one: "1 file of {size} is deleted for good.", other: "{n} files of {size} are deleted for good." },
  emptyDataTitle: "Delete all data of this bucket?",
  emptyDataWhy: "{size} of data is deleted for good, including what jobs write in the meantime.",
  emptied: "It is empty.",
  data: "Data",
  noObject: "The data must be an object or a list.",
  discard: "Discard",
  changedMeanwhile: "The data was changed in the meantime. Saving overwrites the changes, discarding shows them.",
  wholeData: "Replaces all data.",
} as const;
export const t = catalogue("buckets", bucketsTexts);
