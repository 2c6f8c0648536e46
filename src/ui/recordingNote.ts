/** A recording's content, shown beside the link that saves one. */
export const recordingNote =
  'In a problem report addresses, names, amounts and dates are replaced, and it never holds a key. A payment in it can still be found by the time between it and another payment or a change of the sale.'
