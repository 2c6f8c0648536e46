/** @returns whether both lists have the same members in the same order */
export function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((member, at) => member === other[at])
}
