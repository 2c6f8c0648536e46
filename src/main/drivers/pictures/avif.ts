/**
 * The size of an AVIF still: the largest of its coded pictures and of the sizes in its properties. Grids, overlays, sequences
 * and pictures in several pieces are refused.
 * @see https://aomediacodec.github.io/av1-avif/ and ISO/IEC 23008-12
 */
import { stillSize } from './av1.ts'
import { type Bytes, lettersAt, type Size } from './bytes.ts'

type Box = { name: string; from: number; end: number }
type Place = { id: number; from: number; end: number }

/** The picture and its transparency. */
const mostPictures = 2
const mostItems = 8

export function avifSize(bytes: Bytes): Size | undefined {
  const [head, ...rest] = boxesIn(bytes, 0, bytes.byteLength)
  const metas = rest.filter(({ name }) => name === 'meta')
  const [meta] = metas
  if (!head || !isStill(bytes, head) || !meta || metas.length > 1) return undefined
  if (rest.some(({ name }) => !['meta', 'mdat', 'free', 'skip'].includes(name))) return undefined
  const inside = boxesIn(bytes, meta.from + 4, meta.end)
  const one = (name: string) => only(inside, name)
  const [items, locations, properties] = [one('iinf'), one('iloc'), one('iprp')]
  const coded = items && codedItems(bytes, items)
  if (!coded || !locations || !properties) return undefined
  const places = placesIn(bytes, locations, only(inside, 'idat')?.from)
  const found = coded.map(id => {
    const place = only(places, id, 'id')
    return place && stillSize(bytes, place.from, place.end)
  })
  const told = toldSizes(bytes, properties)
  return told.length > 0 && found.every(size => size !== undefined) ? largest([...found, ...told]) : undefined
}

/** The boxes of a stretch, in order. @throws RangeError when one reaches beyond it, or there are too many */
function boxesIn(bytes: Bytes, from: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at < end; ) {
    const length = bytes.getUint32(at)
    const name = lettersAt(bytes, at + 4, 4)
    // 0 is the rest of the file, 1 a length of 64 bits, which no small file needs
    const next = length === 0 && name === 'mdat' ? end : at + length
    if (next < at + 8 || next > end || boxes.length >= 64) throw new RangeError(`a box ${name} expected to end inside`)
    boxes.push({ name, from: at + 8, end: next })
    at = next
  }
  return boxes
}

function only<T extends object>(all: readonly T[], wanted: unknown, key = 'name'): T | undefined {
  const found = all.filter(one => Reflect.get(one, key) === wanted)
  return found.length === 1 ? found[0] : undefined
}

function isStill(bytes: Bytes, { name, from, end }: Box): boolean {
  const brands = [lettersAt(bytes, from, 4)]
  for (let at = from + 8; at + 4 <= end && brands.length < 32; at += 4) brands.push(lettersAt(bytes, at, 4))
  return name === 'ftyp' && brands.includes('avif') && !brands.includes('avis')
}

/** @returns ids of the items that are pictures; undefined when one is made of others, or of another kind */
function codedItems(bytes: Bytes, { from, end }: Box): number[] | undefined {
  const isWide = bytes.getUint8(from) > 0
  const entries = boxesIn(bytes, from + (isWide ? 8 : 6), end)
  const coded: number[] = []
  for (const { name, from: at } of entries) {
    const version = bytes.getUint8(at)
    if (name !== 'infe' || (version !== 2 && version !== 3)) return undefined
    const id = version === 3 ? bytes.getUint32(at + 4) : bytes.getUint16(at + 4)
    const kind = lettersAt(bytes, at + (version === 3 ? 10 : 8), 4)
    if (kind === 'av01') coded.push(id)
    else if (kind !== 'Exif' && kind !== 'mime') return undefined
  }
  return coded.length > 0 && coded.length <= mostPictures && entries.length <= mostItems ? coded : undefined
}

/** Where items lie, each in one piece. @throws RangeError when one lies elsewhere or in pieces */
function placesIn(bytes: Bytes, { from }: Box, idat: number | undefined): Place[] {
  const version = bytes.getUint8(from)
  const widths = bytes.getUint16(from + 4)
  const [ofOffset, ofLength, ofBase, ofIndex] = [widths >> 12, (widths >> 8) & 15, (widths >> 4) & 15, widths & 15]
  let at = from + 6
  const take = (width: number): number => {
    if (width !== 0 && width !== 2 && width !== 4)
      throw new RangeError(`a number expected 0, 2 or 4 bytes, has ${width}`)
    at += width
    return width === 0 ? 0 : width === 2 ? bytes.getUint16(at - 2) : bytes.getUint32(at - 4)
  }
  const count = take(version < 2 ? 2 : 4)
  if (version > 2 || count > mostItems) throw new RangeError(`items expected at most ${mostItems}, got ${count}`)
  return Array.from({ length: count }, () => {
    const id = take(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : take(2) & 15
    const [reference, base, pieces] = [take(2), take(ofBase), take(2)]
    if (version > 0) take(ofIndex)
    const [offset, length] = [take(ofOffset), take(ofLength)]
    const start = method === 0 ? 0 : method === 1 ? idat : undefined
    const first = (start ?? Number.NaN) + base + offset
    if (reference !== 0 || pieces !== 1 || length === 0 || !(first + length <= bytes.byteLength))
      throw new RangeError('an item expected to lie in this file in one piece')
    return { id, from: first, end: first + length }
  })
}

/** Sizes that the properties hold. */
function toldSizes(bytes: Bytes, properties: Box): Size[] {
  const container = only(boxesIn(bytes, properties.from, properties.end), 'ipco')
  return (container ? boxesIn(bytes, container.from, container.end) : [])
    .filter(({ name }) => name === 'ispe')
    .map(({ from }) => ({ width: bytes.getUint32(from + 4), height: bytes.getUint32(from + 8) }))
}

function largest(sizes: readonly (Size | undefined)[]): Size {
  const most = (side: 'width' | 'height') => Math.max(...sizes.map(size => size?.[side] ?? 0))
  return { width: most('width'), height: most('height') }
}
