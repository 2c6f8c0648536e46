/**
 * The language's grammar: every type that may stand in a log has a version, fields, and a class for each field.
 * The TypeScript types, the run-time checks and the redaction all derive from these definitions.
 *
 * Classes: `personal` identifies a person or their keys' public side, `measure` is an amount or a slot,
 * `open` may be read by anyone. Secrets have no class here: they never become a field.
 */
import * as v from 'valibot'
import { type QuickCheck, quickCheckOf } from './quickCheck.ts'

export type FieldClass = 'personal' | 'measure' | 'open'

type Schema<T> = v.GenericSchema<unknown, T>

/** One field: how it is checked and who may read it. `inner` is set for compounds, whose parts carry the classes. */
export type Field<T = unknown, Optional extends boolean = boolean> = {
  readonly schema: Schema<T>
  readonly optional: Optional
  readonly cls?: FieldClass
  readonly list?: Field
  readonly map?: Field
  readonly parts?: Fields
  /** the fields of each situation, by its phase */
  readonly phases?: { readonly [phase: string]: Fields }
}

// the value type of a field is only known where it is used
export type Fields = { readonly [name: string]: Field<any, boolean> }

type Required<F extends Fields> = {
  [K in keyof F as F[K]['optional'] extends true ? never : K]: F[K] extends Field<infer T> ? T : never
}
type Optional<F extends Fields> = {
  [K in keyof F as F[K]['optional'] extends true ? K : never]?: F[K] extends Field<infer T> ? T : never
}

/** The data a set of fields describes. */
export type DataOf<F extends Fields> = { [K in keyof (Required<F> & Optional<F>)]: (Required<F> & Optional<F>)[K] }

export type Definition<F extends Fields = Fields> = { readonly version: number; readonly fields: F }
export type Definitions = { readonly [type: string]: Definition }

/** The union of `{ type, data }` a table of definitions describes. */
export type UnionOf<T extends Definitions> = {
  [K in keyof T & string]: { type: K; data: DataOf<T[K]['fields']> }
}[keyof T & string]

/** A field that identifies a person or their keys' public side. */
/*#__NO_SIDE_EFFECTS__*/
export function personal<T>(schema: Schema<T>): Field<T, false> {
  return { schema, optional: false, cls: 'personal' }
}

/** A field that is an amount or a slot. */
/*#__NO_SIDE_EFFECTS__*/
export function measure<T>(schema: Schema<T>): Field<T, false> {
  return { schema, optional: false, cls: 'measure' }
}

/** A field that anyone may read. */
/*#__NO_SIDE_EFFECTS__*/
export function open<T>(schema: Schema<T>): Field<T, false> {
  return { schema, optional: false, cls: 'open' }
}

/** A field that may be absent. */
/*#__NO_SIDE_EFFECTS__*/
export function optional<T>(field: Field<T, false>): Field<T, true> {
  return { ...field, optional: true }
}

/** An array whose members are one field. */
/*#__NO_SIDE_EFFECTS__*/
export function list<T>(member: Field<T, false>): Field<T[], false> {
  return { schema: v.array(member.schema) as Schema<T[]>, optional: false, list: member }
}

/** Values by name; names are as open as the values are. */
/*#__NO_SIDE_EFFECTS__*/
export function map<T>(value: Field<T, false>): Field<Record<string, T>, false> {
  return { schema: v.record(v.string(), value.schema) as Schema<Record<string, T>>, optional: false, map: value }
}

/** An object with named parts; unknown parts are refused. */
/*#__NO_SIDE_EFFECTS__*/
export function shape<const F extends Fields>(parts: F): Field<DataOf<F>, false> {
  return { schema: objectOf(parts) as unknown as Schema<DataOf<F>>, optional: false, parts }
}

/** One of several situations, told apart by `phase`: each has the common fields and its own. */
/*#__NO_SIDE_EFFECTS__*/
export function situations<const S extends { readonly [phase: string]: Fields }, const C extends Fields>(
  own: S,
  common: C,
): Field<Situation<S, C>, false> {
  const phases: Record<string, Fields> = {}
  const members = Object.entries(own).map(([phase, fields]) => {
    phases[phase] = { ...common, ...fields }
    return objectOf({ phase: open(v.literal(phase)), ...phases[phase] })
  })
  const schema = v.variant('phase', members as never) as unknown as Schema<Situation<S, C>>
  return { schema, optional: false, phases }
}
type Situation<S extends { readonly [phase: string]: Fields }, C extends Fields> = {
  [P in keyof S & string]: { phase: P } & DataOf<C> & DataOf<S[P]>
}[keyof S & string]

/*#__NO_SIDE_EFFECTS__*/
function objectOf(fields: Fields) {
  const entries: Record<string, v.GenericSchema> = {}
  for (const [name, field] of Object.entries(fields)) {
    entries[name] = field.optional ? v.exactOptional(field.schema) : field.schema
  }
  return v.strictObject(entries)
}

/** A type's first version. */
/*#__NO_SIDE_EFFECTS__*/
export function v1<const F extends Fields>(fields: F): Definition<F> {
  return { version: 1, fields }
}

/** A table of definitions, named by type. */
/*#__NO_SIDE_EFFECTS__*/
export function define<const T extends Definitions>(table: T): T {
  return table
}

const checks = new WeakMap<Definition, { schema: v.GenericSchema; fits: QuickCheck }>()

/**
 * Checks data against its definition.
 *
 * @returns undefined when it fits, else one sentence naming the field, what was expected and what came
 */
export function misfit(definition: Definition, data: unknown): string | undefined {
  let check = checks.get(definition)
  if (!check) {
    const schema = objectOf(definition.fields)
    check = { schema, fits: quickCheckOf(schema) }
    checks.set(definition, check)
  }
  if (check.fits(data)) return undefined
  const result = v.safeParse(check.schema, data, { abortEarly: true })
  if (result.success) return undefined
  const issue = result.issues[0]
  const path = v.getDotPath(issue)
  return `${path ?? 'data'} expected ${issue.expected ?? 'another value'}, got ${issue.received.slice(0, 80)}`
}

// Leaf schemas, named once

/** Any text of at most 4,096 characters. */
export const text: Schema<string> = /* @__PURE__ */ v.pipe(v.string(), v.maxLength(4096))
/** A long text, at most 65,536 characters. */
export const longText: Schema<string> = /* @__PURE__ */ v.pipe(v.string(), v.maxLength(65_536))
/** An id: starts with a letter or digit, at most 200 characters. */
export const id: Schema<string> = /* @__PURE__ */ v.pipe(v.string(), v.minLength(1), v.maxLength(200))
/** A whole number that a double holds exactly. */
export const integer: Schema<number> = /* @__PURE__ */ v.pipe(v.number(), v.safeInteger())
/** Whole base units in decimal text. */
export const baseUnits: Schema<string> = /* @__PURE__ */ v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]{0,38})$/))
/** Milliseconds since the Unix epoch. */
export const instant: Schema<number> = integer
export const flag: Schema<boolean> = /* @__PURE__ */ v.boolean()

/** One of a closed list of words. */
/*#__NO_SIDE_EFFECTS__*/
export function choice<const T extends readonly string[]>(words: T): Schema<T[number]> {
  return v.picklist(words) as unknown as Schema<T[number]>
}

/** A value that another reader has already checked whole, such as the sale's terms. */
/*#__NO_SIDE_EFFECTS__*/
export function checked<T extends object>(): Schema<T> {
  return v.custom<T>(value => typeof value === 'object' && value !== null)
}
