import { modalSdk } from '../../events/values/modalSdk.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import { configError, type ProjectError, serverTextError, titleOf } from '../services/project/errors.ts'
import { originProblem, readOrigins } from '../services/project/origins.ts'
import { type ProjectHost, projectUrl } from '../services/project/request.ts'
import { readServiceFeatures } from '../services/project/serviceFeatures.ts'
import { answered, drive } from './drive.ts'
import { type Http, StatusFault } from './http.ts'

type Ports = Pick<ProjectHost, 'configUrl' | 'projectId'> & {
  http: Http
  /** this page's origin */
  origin: string
}

const what = 'the project configuration'
/** Longest body, bytes. */
const maxBytes = 200_000
/** Longest body of a refusal, bytes. */
const refusalBytes = 8192

/**
 * Reads the project configuration service.
 *
 * @returns the drivers of `project.read`, which answers `project.read` or `project.failed`, and of `project.readOrigins`, which
 *   answers `project.origins`. Either answer names the error to show
 */
export function createProjectDriver({ http, origin, ...host }: Ports): {
  'project.read': Drive
  'project.readOrigins': Drive
} {
  /** @returns the body of a 2xx. @throws Fault as `Http`; a refusal's is a `StatusFault` */
  async function read(asked: Parameters<typeof projectUrl>[0]): Promise<unknown> {
    const url = projectUrl(asked, { ...host, sdkVersion: modalSdk })
    const reading = { maxDepth: 8 }
    return http.json({ url, what, maxBytes, refusalBytes, reading })
  }

  const failed = (cause: unknown) => {
    const { code, message, facts } = toFailure(cause)
    const { status, text } = refusalOf(cause)
    const words = status === 0 ? message : `${what}: HTTP status code: ${status}`
    const failure = { code, message: words, ...(facts && { facts }) }
    return answered({ type: 'project.failed', data: { failure, ...shown(configError(host.projectId, status, text)) } })
  }

  return {
    'project.read': drive(async () => {
      if (host.projectId === '') return failed(new Fault('bad_input', `${what} expected a project id, got none`))
      try {
        return answered({ type: 'project.read', data: readServiceFeatures(await read('features')) })
      } catch (cause) {
        return failed(cause)
      }
    }),
    'project.readOrigins': drive(async () => {
      const problem = await read('origins').then(
        body => originProblem([origin], originsIn(body)),
        (cause: unknown) => {
          const { status, text } = refusalOf(cause)
          return serverTextError(text) ?? originProblem([origin], { status })
        },
      )
      return answered({ type: 'project.origins', data: shown(problem) })
    }),
  }
}

/** A malformed list counts as an empty one. */
function originsIn(body: unknown): { allowedOrigins: string[] } {
  try {
    return readOrigins(body)
  } catch (cause) {
    if (cause instanceof Fault) return { allowedOrigins: [] }
    throw cause
  }
}

/** @returns status and words of a refusal; 0 when no answer came */
function refusalOf(cause: unknown): { status: number; text: string } {
  const status = cause instanceof Fault ? cause.facts?.status : undefined
  return { status: typeof status === 'number' ? status : 0, text: cause instanceof StatusFault ? cause.body : '' }
}

function shown(error: ProjectError | undefined): { problem?: ProjectError & { title: string } } {
  if (!error) return {}
  const { code, detail } = error
  return { problem: { code, title: titleOf(error), ...(detail !== undefined && { detail }) } }
}
