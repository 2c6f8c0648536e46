/** The form of a sale's id in terms, builds and host configs. */
export const saleIdPattern = /^[a-z0-9-]{3,32}$/

/** The form of a backend's name in terms. */
export const backendPattern = /^[a-z0-9-]{1,32}$/

/** @returns whether this can be a sale's id */
export function isSaleId(value: unknown): value is string {
  return typeof value === 'string' && saleIdPattern.test(value)
}
