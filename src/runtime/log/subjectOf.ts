/** @returns the family before the dot */
export function subjectOf(type: string): string {
  const dot = type.indexOf('.')
  return dot < 0 ? type : type.slice(0, dot)
}

/** @returns the fold of a type's subject; undefined for a subject this build does not know */
export function foldOf<F>(folds: { [subject: string]: F }, type: string): F | undefined {
  const subject = subjectOf(type)
  return Object.hasOwn(folds, subject) ? folds[subject] : undefined
}
