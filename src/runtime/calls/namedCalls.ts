/**
 * The guard of a port that comlink serves. Comlink itself walks any path of properties, assigns and constructs; here a message
 * that is no plain call of a known name ends before comlink hears it.
 */
import { isCompound } from '../json/isRecord.ts'

type Port = {
  addEventListener(type: 'message', listener: (event: Event) => void): void
  postMessage(message: unknown): void
}

/** One that has no answer to give: the port may be closed. */
const releases = ({ type, path = [] }: Message) => type === 'RELEASE' && Array.isArray(path) && path.length === 0

/** A call as comlink sends it has `id`, `type`, `path` and `argumentList`. */
type Message = Readonly<Record<string, unknown>>

/**
 * Guards a port. Call it before comlink's `expose` on the same port.
 *
 * @param names of the calls that pass
 * @param options.taking those of them that are given a port, behind which functions are; the others get plain data alone
 * @param options.mayRelease whether the other side may end the port, as comlink does for one that is no longer referenced
 */
export function passNamedCalls(
  port: Port,
  names: readonly string[],
  { taking = [], mayRelease = false }: { taking?: readonly string[]; mayRelease?: boolean } = {},
): void {
  const known = new Set(names)
  const takers = new Set(taking)
  port.addEventListener('message', event => {
    const { data } = event as MessageEvent<unknown>
    if (isCompound(data) && (callsOneOf(known, takers, data) || (mayRelease && releases(data)))) return
    event.stopImmediatePropagation()
    const id = isCompound(data) ? data.id : undefined
    if (typeof id === 'string') port.postMessage({ id, type: 'HANDLER', name: 'throw', value: refusal })
  })
}

/** As comlink writes an error. */
const refusal = {
  isError: true,
  value: { name: 'TypeError', message: 'a port expected a call by one of its names, got another message' },
}

function callsOneOf(
  known: ReadonlySet<string>,
  takers: ReadonlySet<string>,
  { id, type, path, argumentList = [] }: Message,
): boolean {
  if (typeof id !== 'string' || type !== 'APPLY' || !Array.isArray(path) || path.length !== 1) return false
  const name: unknown = path[0]
  if (typeof name !== 'string' || !known.has(name) || !Array.isArray(argumentList)) return false
  return argumentList.every(argument => isPlain(argument) || (takers.has(name) && isPort(argument)))
}

function isPlain(argument: unknown): boolean {
  return isCompound(argument) && argument.type === 'RAW'
}

/** A port behind which functions are, as comlink sends it. */
function isPort(argument: unknown): boolean {
  if (!isCompound(argument)) return false
  const { type, name, value } = argument
  return type === 'HANDLER' && name === 'proxy' && value instanceof MessagePort
}

/** @returns the named functions alone, on an object that inherits nothing */
export function onlyNamed<T extends object>(
  served: T,
  names: readonly (keyof T & string)[],
): Pick<T, keyof T & string> {
  const only = Object.create(null) as Pick<T, keyof T & string>
  for (const name of names) only[name] = served[name]
  return only
}
