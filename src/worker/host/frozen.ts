/**
 * Freezes what the language itself brings, so that no later part of this worker, and nothing that reaches into it, changes
 * what `Array`, `Promise` or `Object.prototype` mean to the code that checks payments.
 */

const iterator = (make: () => object): object => Object.getPrototypeOf(make()) as object

/** Not reachable by a name of their own. */
const nameless = (): object[] => {
  const typed = Object.getPrototypeOf(Uint8Array) as { prototype: object }
  const arrays = iterator(() => [][Symbol.iterator]())
  const functions = [function* () {}, async function* () {}, async () => undefined].map(
    one => Object.getPrototypeOf(one) as object,
  )
  const generators = functions.flatMap(one => (one as { prototype?: object }).prototype ?? [])
  const others = [new Map(), new Set(), '', 'a'.matchAll(/a/g)].map(one => iterator(() => one[Symbol.iterator]()))
  const roots = [arrays, ...generators].map(one => Object.getPrototypeOf(one) as object)
  return [typed, typed.prototype, arrays, ...functions, ...generators, ...others, ...roots]
}

/** All that the language brings under a name; an engine may lack the newest of them. */
const names = `
Object Function Array String Number Boolean Symbol BigInt Date RegExp Promise Proxy Reflect JSON Math Intl Atomics Iterator
Map Set WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer DataView
Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
Float16Array Float32Array Float64Array BigInt64Array BigUint64Array
Error AggregateError SuppressedError EvalError RangeError ReferenceError SyntaxError TypeError URIError
DisposableStack AsyncDisposableStack Temporal
parseInt parseFloat isNaN isFinite eval decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
`
  .trim()
  .split(/\s+/)

/** Properties that libraries set on objects of their own, which inherit them: by plain assignment, as was usual. */
const often = 'constructor toString valueOf toJSON name message push concat bind'.split(' ')

/** Freezes the intrinsics of this realm. Call it once, when everything that fills in for an old browser has run. */
export function freezeIntrinsics(): void {
  const typed = Object.getPrototypeOf(Uint8Array.prototype) as object
  // `Buffer` inherits from both kinds of the last ones
  const whole = new Set<object>([Object.prototype, typed, Object.getPrototypeOf(Uint8Array) as object, Uint8Array])
  const found = new Set<object>(nameless())
  for (const name of names) {
    const described = Object.getOwnPropertyDescriptor(globalThis, name)
    const value: unknown = described?.value
    if (value === undefined || value === null) continue
    add(found, value as object)
    // Nor does its name come to mean another one
    if (described?.configurable) Object.defineProperty(globalThis, name, fixed(described))
  }
  const homes: object[] = [Intl, (globalThis as { Temporal?: object }).Temporal ?? {}]
  for (const one of homes.flatMap(home => Object.values(Object.getOwnPropertyDescriptors(home))))
    if (typeof one.value === 'function') add(found, one.value as object)
  found.add(Function.prototype)
  for (const one of found) {
    if (one !== Error) letHeirsAssign(one, whole.has(one) ? Reflect.ownKeys(one) : often)
    freezeOne(one)
  }
}

function add(found: Set<object>, one: object): void {
  found.add(one)
  const { prototype } = one as { prototype?: unknown }
  if (typeof prototype === 'object' && prototype !== null) found.add(prototype)
}

/** V8 reads how much of a stack it notes from here, and libraries set it. */
function freezeOne(one: object): void {
  if (one !== Error) return void Object.freeze(one)
  for (const key of Reflect.ownKeys(one))
    if (key !== 'stackTraceLimit') Object.defineProperty(one, key, fixed(Object.getOwnPropertyDescriptor(one, key)))
  Object.preventExtensions(one)
}

const fixed = (found: PropertyDescriptor | undefined): PropertyDescriptor => ({
  configurable: false,
  ...(found && 'value' in found && { writable: false }),
})

/**
 * An object cannot be given a property by assignment that it inherits read-only. An accessor in its place gives the value, and
 * defines the property on the object that is assigned to.
 */
function letHeirsAssign(one: object, keys: readonly PropertyKey[]): void {
  for (const key of keys) {
    const found = Object.getOwnPropertyDescriptor(one, key)
    if (!found || !('value' in found) || !found.configurable) continue
    const { value, enumerable = false } = found as { value: unknown; enumerable?: boolean }
    Object.defineProperty(one, key, {
      configurable: false,
      enumerable,
      get: () => value,
      set(this: unknown, next: unknown) {
        if (this === one || (typeof this !== 'object' && typeof this !== 'function') || this === null)
          throw new TypeError(`${String(key)} of an intrinsic expected to stay as it is, got another value`)
        Object.defineProperty(this, key, { value: next, configurable: true, enumerable: true, writable: true })
      },
    })
  }
}
