/** @returns first and last four characters with an ellipsis; short texts stay whole */
export function shortAddress(address: string): string {
  return address.length <= 9 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`
}
