/** Foreign pictures as base64: valid ones with bytes changed, truncated, repeated, or combined from two. */
import { pictureAddress, readPicture } from '../../../src/main/drivers/pictures/picture.ts'
import { hostilePictures } from '../../main/drivers/pictures/hostile.ts'
import { decoded, moving, stills } from '../../main/drivers/pictures/samples.ts'
import { toldOf } from '../grammars/picture.ts'
import type { Random } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const honest = Object.values(stills)
const others = [...Object.values(moving).map(decoded), ...Object.values(hostilePictures)].filter(
  ({ length }) => length < 4096,
)
const edges = [0, 1, 2, 4, 8, 0x7f, 0x80, 0xc0, 0xc4, 0xd9, 0xda, 0xfe, 0xff]
const types = ['png', 'jpeg', 'webp', 'gif', 'avif'].map(name => `image/${name}`)

function changed(random: Random, given: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(given)
  switch (random.below(5)) {
    case 0:
      return bytes.slice(0, random.below(bytes.length))
    case 1: {
      const other = random.oneIn(2) ? decoded(random.pick(honest)) : random.pick(others)
      return Uint8Array.from([
        ...bytes.slice(0, random.below(bytes.length)),
        ...other.slice(random.below(other.length)),
      ])
    }
    case 2: {
      const [from, to] = [random.below(bytes.length), random.below(bytes.length)].sort((a, b) => a - b)
      return Uint8Array.from([...bytes.slice(0, to), ...bytes.slice(from)])
    }
    default: {
      for (let times = 1 + random.below(4); times > 0; times -= 1)
        bytes[random.below(bytes.length)] = random.oneIn(2) ? random.pick(edges) : random.below(256)
      return bytes
    }
  }
}

export const pictures: Reader = {
  name: 'pictures',
  share: 200,
  make(random) {
    const whole = random.oneIn(8) ? random.pick(others) : decoded(random.pick(honest))
    return Buffer.from(random.oneIn(10) ? whole : changed(random, whole)).toString('base64')
  },
  judge(input, read) {
    const bytes = Uint8Array.from(Buffer.from(input, 'base64'))
    const found = read(() => readPicture(bytes))
    if ('fault' in found) return wrong(false, 'a picture ended in a fault')
    const address = read(() => pictureAddress(`data:image/png;base64,${input}`))
    if (!('value' in address) || (address.value === undefined) !== (found.value === undefined))
      return wrong(false, 'a picture is another one as an address')
    if (!found.value) return honest.includes(input) ? wrong(false, 'an honest picture was refused') : refused
    const { type, width, height } = found.value
    if (!types.includes(type)) return wrong(true, `a picture of another format was taken: ${type}`)
    if (![width, height].every(side => Number.isInteger(side) && side > 0 && side <= 1024))
      return wrong(true, `a picture without a fair size was taken: ${width} by ${height}`)
    const told = toldOf(bytes)
    if (told && (told.type !== type || told.width !== width || told.height !== height))
      return wrong(true, `a picture was read as another one than it says: ${type} ${width} by ${height}`)
    return taken
  },
  pieces: input => [...Buffer.from(input, 'base64').toString('hex').matchAll(/../g)].map(([pair]) => pair),
  whole: pieces => Buffer.from(pieces.join(''), 'hex').toString('base64'),
}
