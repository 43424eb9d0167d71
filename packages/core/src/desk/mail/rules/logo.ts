/** Content id of the image at the head of a mail: a signal with two lights, 64 by 64 pixels. */
export const LOGO_ID = "logo@signalbox";

/** PNG in Base64. */
export const LOGO =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAD1BMVEX///8YGBvcJiYWo0qhoaq+FzepAAAABXRSTlMA/////xzQJlIAAACSSURBVHja7dVfCoAgDAbwhA7gnxO4G8gu0IP3P1OUGj00v9AKhL5XfzDYxpymT6NMjhaAOYLeBYGAOgPdDCyRrwFLlIQEaI8MbAK+HRCVGiOD/j7AVuNhwXE/sFEQOOZQA445CQnwHhm4BEI7YC41Rgb9fYCtxsOC4+7bqP5Dim81vvZbYgR/xg9ugDnmLK+By6yKEEiWsN55eAAAAABJRU5ErkJggg==";
