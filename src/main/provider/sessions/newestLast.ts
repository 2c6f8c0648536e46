/** Sessions in the order they were settled, the newest last: what comes is nearly always the newest, and is put at the end. */

/** Where a session stands among all: by when it was settled, and by when it was seen first. */
export type SessionPlace = { topic: string; settledAt: number; nth: number }

/** Puts a place where it belongs. */
export function put<P extends SessionPlace>(places: P[], place: P): void {
  const at = indexIn(places, place)
  if (at === places.length) places.push(place)
  else places.splice(at, 0, place)
}

/** Takes a place out that is in there. */
export function take(places: SessionPlace[], place: SessionPlace): void {
  const at = indexIn(places, place)
  if (places[at]?.topic === place.topic) places.splice(at, 1)
}

/** @returns how many places stand before this one */
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
