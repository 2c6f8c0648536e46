/** @returns the family before the dot */
export function subjectOf(type: string): string {
  const dot = type.indexOf('.')
  return dot < 0 ? type : type.slice(0, dot)
}
