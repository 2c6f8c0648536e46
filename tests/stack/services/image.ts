import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** Side of an image in pixels. */
export const imageSide = 64

/**
 * A PNG made from an id, the same each time: a mirrored five-by-five pattern in one colour on a pale ground.
 *
 * @see PNG specification, colour type 3
 */
export function imageOf(id: string): Uint8Array<ArrayBuffer> {
  const hash = createHash('sha256').update(`image ${id}`).digest()
  const at = (index: number): number => hash[index % hash.length] as number
  const ink = [at(0) >> 1, at(1) >> 1, at(2) >> 1]
  const ground = ink.map(part => 200 + (part >> 2))
  const filled = (x: number, y: number): boolean => at(3 + y * 3 + (x > 2 ? 4 - x : x)) % 2 === 0
  const margin = 7
  const cell = (imageSide - 2 * margin) / 5
  const rows = Array.from({ length: imageSide }, (_, y) => {
    const row = Buffer.alloc(1 + imageSide)
    for (let x = margin; x < imageSide - margin; x += 1) {
      if (
        y >= margin &&
        y < imageSide - margin &&
        filled(Math.floor((x - margin) / cell), Math.floor((y - margin) / cell))
      )
        row[1 + x] = 1
    }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(imageSide, 0)
  header.writeUInt32BE(imageSide, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const body = [
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...ground, ...ink])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat([signature, ...body]))
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(named.length + 8)
  out.writeUInt32BE(data.length, 0)
  out.set(named, 4)
  out.writeUInt32BE(crc32(named), named.length + 4)
  return out
}
