/** @returns the record's own value under an untrusted key; names such as `constructor` find nothing */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
