/** An attempt's name, by which its answer is known: of a job, or of a pool whose endpoint is asked for its genesis hash. */
type Attempted = { of: 'job' | 'pool'; id: string; place: number; attempt: number }

export function attemptText({ of, id, place, attempt }: Attempted): string {
  return `${of} ${id} ${place} ${attempt}`
}

export function attemptIn(text: string): Attempted {
  const [of, id = '', place, attempt] = text.split(' ')
  return { of: of === 'job' ? of : 'pool', id, place: Number(place), attempt: Number(attempt) }
}
