/** Errors of a project's configuration, by the codes that the reference client shows. @see reference "HTTP APIs", §4.2 */

const titles = {
  APKT002: 'Invalid App Configuration',
  APKT006: 'Session Expired',
  APKT007: 'Invalid Project ID',
  APKT008: 'Project ID Missing',
  APKT009: 'Server Error',
  APKT010: 'Rate Limited',
} as const
type ProjectErrorCode = keyof typeof titles

/** `detail` is a sentence beside the title, where there is one. */
export type ProjectError = { code: ProjectErrorCode; detail?: string }

/** @returns the title of an error: `Rate Limited` */
export function titleOf({ code }: ProjectError): string {
  return titles[code]
}

const serverTexts: readonly (readonly [text: string, error: ProjectError])[] = [
  ['Unauthorized: origin not allowed', { code: 'APKT002' }],
  [
    'JWT validation error: JWT Token is not yet valid',
    { code: 'APKT006', detail: 'Check the date and time of this device.' },
  ],
  ['Unauthorized: invalid key', { code: 'APKT007' }],
]

/** @returns the error that a server's text names, undefined for any other text; no other decision reads a text */
export function serverTextError(text: string): ProjectError | undefined {
  return serverTexts.find(([known]) => text.trim() === known)?.[1]
}

/**
 * @param status HTTP status of a refused call, 0 when no answer came
 * @param text body of the answer
 * @returns the error to show, undefined when the failure is of another kind
 */
export function configError(projectId: string, status: number, text = ''): ProjectError | undefined {
  if (projectId === '') return { code: 'APKT008' }
  const named = serverTextError(text)
  if (named) return named
  if (status === 403) return { code: 'APKT002' }
  // The service refuses a malformed id with 400, an unknown one with 401
  if (status === 400 || status === 401) return { code: 'APKT007' }
  return loadError(status)
}

/** @returns the error of a service that is busy or failed; any other failure of the origins counts as an empty list */
export function loadError(status: number): ProjectError | undefined {
  if (status === 429) return { code: 'APKT010' }
  return status >= 500 && status <= 599 ? { code: 'APKT009', detail: `HTTP status code: ${status}` } : undefined
}
