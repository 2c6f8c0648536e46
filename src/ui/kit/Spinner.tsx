/** Turns while something is under way; stands still as a dotted ring under reduced motion. The words are beside it. */
export function Spinner() {
  return <span className="spin" aria-hidden="true" />
}
