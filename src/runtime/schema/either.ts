import { other, type Schema, unlike } from './schema.ts'

/** A value that fits one of two schemas. */
/*#__NO_SIDE_EFFECTS__*/
export function either<A, B>(one: Schema<A>, another: Schema<B>): Schema<A | B> {
  return {
    type: 'union',
    check: value => (one.check(value) && another.check(value) ? unlike(other, value) : undefined),
  }
}
