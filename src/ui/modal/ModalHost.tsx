/** Where the modal appears. */
export function ModalHost() {
  return null
}
