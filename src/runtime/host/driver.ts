/** A driver's answer: an input that answers one effect. */
export type Answer = { type: string; data: Record<string, unknown> }

/** Carries out one effect. It never rejects: a failure becomes an answer, and every wait inside has a deadline. */
export type Drive = (
  // the dispatcher knows an effect's data only by its type
  effect: { id: string; data: any },
  answer: (input: Answer) => void,
) => Promise<void>
