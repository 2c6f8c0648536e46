/** @returns a reader of the numbers in these bytes, which throws a RangeError beyond the last one */
export function dataViewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
