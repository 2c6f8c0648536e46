import { modalSdk } from '../../events/values/modalSdk.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import { readJson } from '../../runtime/json/readJson.ts'
import { configError, type ProjectError, serverTextError, titleOf } from '../services/project/errors.ts'
import { originProblem, readOrigins } from '../services/project/origins.ts'
import { type ProjectHost, projectUrl } from '../services/project/request.ts'
import { readServiceFeatures } from '../services/project/serviceFeatures.ts'
import { answered, drive } from './drive.ts'
import type { Http } from './http.ts'

type Ports = Pick<ProjectHost, 'configUrl' | 'projectId'> & {
  http: Http
  /** this page's origin */
  origin: string
}

/** A body, or a refusal with the service's words. */
type Said = { body: unknown } | { status: number; text: string }

const what = 'the project configuration'
/** Longest body, bytes. */
const maxBytes = 200_000

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
  /** @throws Fault as `Http`, with the `status` of a failure that has no words */
  async function read(asked: Parameters<typeof projectUrl>[0]): Promise<Said> {
    const request = { url: projectUrl(asked, { ...host, sdkVersion: modalSdk }), what, maxBytes }
    // A refusal's words tell which one it is; of two statuses that are read as answers the text would not tell the status
    const text = await http.text({ ...request, answers: [403] }).catch(async (cause: unknown) => {
      if (statusOf(cause) !== 401) throw cause
      return { status: 401, text: await http.text({ ...request, answers: [401], retries: 0 }) }
    })
    if (typeof text !== 'string') return text
    if (/^\s*[{[]/.test(text)) return { body: readJson(text, { name: what, maxLength: maxBytes, maxDepth: 8 }) }
    if (/^\s*(?:<|$)/.test(text)) throw new Fault('bad_response', `${what} expected JSON, got HTML or nothing`)
    return { status: 403, text }
  }

  const failed = (fault: unknown, status: number, text?: string) => {
    const { code, message, facts } = toFailure(fault)
    const words = status === 0 ? message : `${what}: HTTP status code: ${status}`
    const failure = { code, message: words, ...(facts && { facts }) }
    return answered({ type: 'project.failed', data: { failure, ...shown(configError(host.projectId, status, text)) } })
  }

  return {
    'project.read': drive(async () => {
      if (host.projectId === '') return failed(new Fault('bad_input', `${what} expected a project id, got none`), 0)
      try {
        const said = await read('features')
        if ('body' in said) return answered({ type: 'project.read', data: readServiceFeatures(said.body) })
        const { status, text } = said
        return failed(new Fault('unauthorized', '', { status }), status, text)
      } catch (cause) {
        return failed(cause, statusOf(cause))
      }
    }),
    'project.readOrigins': drive(async () => {
      const said = await read('origins').catch((cause: unknown) => ({ status: statusOf(cause), text: '' }))
      const problem =
        'body' in said
          ? originProblem([origin], originsIn(said.body))
          : (serverTextError(said.text) ?? originProblem([origin], { status: said.status }))
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

function statusOf(cause: unknown): number {
  const status = cause instanceof Fault ? cause.facts?.status : undefined
  return typeof status === 'number' ? status : 0
}

function shown(error: ProjectError | undefined): { problem?: ProjectError & { title: string } } {
  if (!error) return {}
  const { code, detail } = error
  return { problem: { code, title: titleOf(error), ...(detail !== undefined && { detail }) } }
}
