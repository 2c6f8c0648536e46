/**
 * Number of the log's format: how often what a start reads has changed: facts, rows, checkpoints. A log with a
 * higher number belongs to a newer build and stays as it is. It counts the entries of tests/events/logFormats.txt;
 * `npx vitest run --project unit tests/events/logFormat.test.ts -u` writes both.
 */
export const logFormat = 16
