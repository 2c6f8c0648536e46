/**
 * The registry's grammar: every type in a log has a version, fields, and a class for each field. TypeScript types, run-time
 * checks and the redaction all derive from these definitions.
 *
 * Classes: `personal` identifies a person or their keys' public side, `measure` is an amount or a slot, `open` may be read by
 * anyone. Secrets have no class: they never become a field.
 */
import {
  absentable,
  array,
  boolean,
  literal,
  object,
  record,
  type Schema,
  string,
  variant,
  wholeNumber,
  wordOf,
} from './schema.ts'

type FieldClass = 'personal' | 'measure' | 'open'

/**
 * One field: its schema and its class. Compounds have no class of their own; their parts carry the classes. `after`: only text
 * behind one of these words and a colon is personal. `keys` is the class of a map's names; `areNamesChosen`: a wallet or a host
 * chose them.
 */
export type Field<T = unknown, Optional extends boolean = boolean> = {
  readonly schema: Schema<T>
  readonly optional: Optional
  readonly cls?: FieldClass
  readonly after?: readonly string[]
  readonly list?: Field
  readonly map?: Field
  readonly keys?: Field
  readonly areNamesChosen?: true
  readonly parts?: Fields
  readonly variants?: { readonly tag: string; readonly of: { readonly [word: string]: Fields } }
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

/** The state that a field describes; the field is made by a function, so that bundles without use for it drop it. */
export type StateOf<M extends () => Field> = ReturnType<M> extends Field<infer T> ? Mutable<T> : never
type Mutable<T> = T extends unknown ? { -readonly [K in keyof T]: T[K] } : never

/** Lifts the data of one version to the next; an older build wrote them, and they are not validated. */
export type Lift = (data: Record<string, any>) => Record<string, unknown>

/** `lifts[0]` leads from version 1 to 2, and so on: `version` is one more than there are lifts. */
export type Definition<F extends Fields = Fields> = {
  readonly version: number
  readonly fields: F
  readonly lifts?: readonly Lift[]
}
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

/** A text of which only the part behind one of these words and a colon identifies a person: `session:<topic>`. */
/*#__NO_SIDE_EFFECTS__*/
export function personalAfter(words: readonly string[], schema: Schema<string> = id): Field<string, false> {
  return { schema, optional: false, cls: 'personal', after: words }
}

/** A field that is an amount or a slot. */
/*#__NO_SIDE_EFFECTS__*/
export function measure<T>(schema: Schema<T>): Field<T, false> {
  return { schema, optional: false, cls: 'measure' }
}

/** A field that anyone may read. */
/*#__NO_SIDE_EFFECTS__*/
export function openField<T>(schema: Schema<T>): Field<T, false> {
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
  return { schema: array(member.schema), optional: false, list: member }
}

/** Values by name; names may be read by anyone. */
/*#__NO_SIDE_EFFECTS__*/
export function map<T>(value: Field<T, false>): Field<Record<string, T>, false> {
  return { schema: record(value.schema), optional: false, map: value }
}

/** Values by a name that a wallet or a host chose; well-known ones may be read by anyone. */
/*#__NO_SIDE_EFFECTS__*/
export function chosen<T>(value: Field<T, false>): Field<Record<string, T>, false> {
  return { ...map(value), areNamesChosen: true }
}

/** Values by a name that has a class of its own. */
/*#__NO_SIDE_EFFECTS__*/
export function keyed<T>(keys: Field<string, false>, value: Field<T, false>): Field<Record<string, T>, false> {
  return { ...map(value), keys }
}

/** An object with named parts; unknown parts are refused. */
/*#__NO_SIDE_EFFECTS__*/
export function shape<const F extends Fields>(parts: F): Field<DataOf<F>, false> & { readonly parts: F } {
  return { schema: object(entriesOf(parts)) as Schema<DataOf<F>>, optional: false, parts }
}

/** One of several states, told apart by `phase`: each has the common fields and its own. */
/*#__NO_SIDE_EFFECTS__*/
export function situations<const S extends { readonly [phase: string]: Fields }, const C extends Fields>(
  own: S,
  common: C,
): Field<Situation<S, C>, false> {
  const phases = Object.entries(own).map(([phase, fields]) => [phase, { ...common, ...fields }])
  return variants('phase', Object.fromEntries(phases) as never) as Field<never, false>
}
type Situation<S extends { readonly [phase: string]: Fields }, C extends Fields> = {
  [P in keyof S & string]: { phase: P } & DataOf<C> & DataOf<S[P]>
}[keyof S & string]

type VariantOf<Tag extends string, V extends { readonly [word: string]: Fields }> = {
  [W in keyof V & string]: { [K in Tag]: W } & DataOf<V[W]>
}[keyof V & string]

/** An object of one of several shapes; the word under `tag` says which. */
/*#__NO_SIDE_EFFECTS__*/
export function variants<const Tag extends string, const V extends { readonly [word: string]: Fields }>(
  tag: Tag,
  of: V,
): Field<VariantOf<Tag, V>, false> {
  const shapes = Object.entries(of).map(([word, fields]) => [word, entriesOf(fields)] as const)
  return { schema: variant(tag, Object.fromEntries(shapes)), optional: false, variants: { tag, of } }
}

/*#__NO_SIDE_EFFECTS__*/
function entriesOf(fields: Fields): { [name: string]: Schema } {
  const entries: { [name: string]: Schema } = {}
  for (const [name, { schema, optional }] of Object.entries(fields)) {
    entries[name] = optional ? absentable(schema) : schema
  }
  return entries
}

/** The fields without some of them. */
/*#__NO_SIDE_EFFECTS__*/
export function without<F extends object, N extends keyof F>(fields: F, ...names: readonly N[]): Omit<F, N> {
  const rest = { ...fields }
  for (const name of names) delete rest[name]
  return rest
}

/** A type's first version. */
/*#__NO_SIDE_EFFECTS__*/
export function v1<const F extends Fields>(fields: F): Definition<F> {
  return { version: 1, fields }
}

/** A type whose fields have changed: one lift for each version there was before, the oldest first. */
/*#__NO_SIDE_EFFECTS__*/
export function lifted<const F extends Fields>(fields: F, ...lifts: readonly Lift[]): Definition<F> {
  return { version: lifts.length + 1, fields, lifts }
}

/** A table of definitions, named by type. */
/*#__NO_SIDE_EFFECTS__*/
export function define<const T extends Definitions>(table: T): T {
  return table
}

const schemas = new WeakMap<Definition, Schema>()

/** @returns the schema of a type's data, made once */
export function schemaOf(definition: Definition): Schema {
  let schema = schemas.get(definition)
  if (!schema) {
    schema = object(entriesOf(definition.fields))
    schemas.set(definition, schema)
  }
  return schema
}

/**
 * Checks data against its definition.
 *
 * @returns undefined when it fits, else one sentence naming the field, what was expected and what came
 */
export function misfit(definition: Definition, data: unknown): string | undefined {
  const found = schemaOf(definition).check(data)
  return found && `${found.path || 'data'} expected ${found.expected}, got ${found.got}`
}

// Leaf schemas, named once

/** Any text of at most 4,096 characters. */
export const text: Schema<string> = /* @__PURE__ */ string({ most: 4096 })
/** A long text, at most 65,536 characters. */
export const longText: Schema<string> = /* @__PURE__ */ string({ most: 65_536 })
/** JSON as text, at most 262,144 characters. */
export const jsonText: Schema<string> = /* @__PURE__ */ string({ most: 262_144 })
/** A text that is a number of lower-case hex digits. */
/*#__NO_SIDE_EFFECTS__*/
export function hexDigits(count: number): Schema<string> {
  return string({ grammar: new RegExp(`^[0-9a-f]{${count}}$`) })
}
/** An id: 1 to 200 characters. */
export const id: Schema<string> = /* @__PURE__ */ string({ least: 1, most: 200 })
/** A whole number that a double holds exactly. */
export const integer: Schema<number> = /* @__PURE__ */ wholeNumber()
export const flag: Schema<boolean> = /* @__PURE__ */ boolean()
/** True; otherwise the field is absent. */
export const isSo: Schema<true> = /* @__PURE__ */ literal(true)

/** One of a closed list of words. */
/*#__NO_SIDE_EFFECTS__*/
export function choice<const T extends readonly string[]>(words: T): Schema<T[number]> {
  return wordOf(words)
}

/** A value that another reader validates as a whole, such as the sale's terms; its parts have no classes. */
/*#__NO_SIDE_EFFECTS__*/
export function wholly<T>({ check }: Schema<T>): Schema<T> {
  return { type: 'custom', check }
}
