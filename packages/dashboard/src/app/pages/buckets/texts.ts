import { catalogue } from "../../texts/catalogue.ts";

export const bucketsTexts = {
  title: "Buckets",
  create: "Create bucket",
  empty: "There are no buckets. A bucket keeps data and files that jobs share with each other and with people.",
  removal: "Its data and files are gone for good. Actions that store into it or fetch from it fail from then on.",
  files: "Files",
  noFiles: "No files. Jobs put them here with the action “store into a bucket”.",
  uploaded: { one: "1 file is stored.", other: "{n} files are stored." },
  replaceHint: "One of the same name is replaced.",
  deleteFile: "Delete {name}?",
  deleteFileWhy: "The file goes for good.",
  fileDeleted: "{name} is deleted.",
  emptyIt: "Empty",
  emptyFilesTitle: "Delete all files of this bucket?",
  emptyFilesWhy: { one: "1 file of {size} goes for good.", other: "{n} files of {size} go for good." },
  emptyDataTitle: "Delete all data of this bucket?",
  emptyDataWhy: "{size} of data go for good, also what jobs have written meanwhile.",
  emptied: "It is empty.",
  data: "Data",
  noObject: "The data are an object or a list.",
  discard: "Discard",
  changedMeanwhile: "The data were changed meanwhile. Saving replaces them, discarding shows them.",
  wholeData: "Replaces all data.",
} as const;
export const t = catalogue("buckets", bucketsTexts);
