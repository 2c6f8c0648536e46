/** Something from outside, before it is numbered. */
export type Draft = { type: string; data: Record<string, unknown>; to?: string; tab?: string; ref?: string }
