/** Sorted lists of sessions, the newest last, so that a new session is nearly always appended. */

/** The sort key of a session: `settledAt` in ms, then `nth`, its place among those added to the index. */
export type SessionPlace = { topic: string; settledAt: number; nth: number }

/** Inserts a place in order. */
export function put<P extends SessionPlace>(places: P[], place: P): void {
  const at = indexIn(places, place)
  if (at === places.length) places.push(place)
  else places.splice(at, 0, place)
}

/** Removes a place; does nothing when it is absent. */
export function take(places: SessionPlace[], place: SessionPlace): void {
  const at = indexIn(places, place)
  if (places[at]?.topic === place.topic) places.splice(at, 1)
}

/** @returns the number of places before this one */
function indexIn(places: readonly SessionPlace[], { settledAt, nth }: SessionPlace): number {
  const last = places.at(-1)
  let from = last && isBefore(last, settledAt, nth) ? places.length : 0
  let to = places.length
  while (from < to) {
    const middle = (from + to) >> 1
    const one = places[middle]
    if (one && isBefore(one, settledAt, nth)) from = middle + 1
    else to = middle
  }
  return from
}

function isBefore(one: SessionPlace, settledAt: number, nth: number): boolean {
  return one.settledAt < settledAt || (one.settledAt === settledAt && one.nth < nth)
}
