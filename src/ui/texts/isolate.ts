/** @returns a name or an amount that keeps its own direction inside a sentence of the other one (FSI … PDI) */
export function isolate(text: string | number): string {
  return `\u2068${text}\u2069`
}
