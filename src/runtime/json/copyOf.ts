/** @returns a deep copy of plain JSON, for folds, which write into what they get */
export function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
