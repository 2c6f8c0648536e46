import type { FailureCode } from '../runtime/failure.ts'

/** Codes of failures that pass by themselves: a server was out of reach, or had too much to do. They say nothing of what it has. */
export const passingCodes: ReadonlySet<FailureCode> = /* @__PURE__ */ new Set<FailureCode>([
  'unreachable',
  'offline',
  'timeout',
  'rate_limited',
])
