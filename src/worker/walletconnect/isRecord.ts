/** @returns whether a value read from JSON is an object, so that its members may be asked for */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
