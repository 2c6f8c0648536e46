/** @returns the name of the copy of a version beside the terms */
export function termsFileName(hash: string): string {
  return `terms-${hash.slice(0, 16)}.json`
}
