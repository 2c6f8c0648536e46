/** @returns what a record itself holds under a key that came from outside; names such as `constructor` find nothing */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
