/** Spins while an action is pending; a still dotted ring under reduced motion. The words stand beside it. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}
