/** Pictures that must never reach an `<img>`: altered honest ones, and the two that hung the page. */
import { decoded, moving, stills } from './samples.ts'

const text = (words: string) => new TextEncoder().encode(words) as Uint8Array<ArrayBuffer>

/** 421 bytes on which a regular expression with a nested quantifier never ended. */
export const commentBomb = text(`${'<!---->'.repeat(60)}x`)
/** A million drawings in 1.7 kB. */
export const useBomb = text(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect id="u0" width="1" height="1"/>${Array.from(
    { length: 6 },
    (_, n) => `<g id="u${n + 1}">${`<use href="#u${n}" x="1"/>`.repeat(10)}</g>`,
  ).join('')}<use href="#u6"/></svg>`,
)

type Change = { at: number; bytes: readonly number[] }
type Sample = keyof typeof stills

function changed(sample: Sample, ...changes: Change[]): Uint8Array<ArrayBuffer> {
  const bytes = decoded(stills[sample])
  for (const { at, bytes: put } of changes) bytes.set(put, at)
  return bytes
}

function inserted(sample: Sample, at: number, ...more: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = decoded(stills[sample])
  return joined(bytes.subarray(0, at), ...more, bytes.subarray(at))
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Offset of these letters in a sample. */
function placeOf(sample: Sample, letters: string): number {
  const at = atob(stills[sample]).indexOf(letters)
  if (at < 0) throw new Error(`${sample} expected to hold ${letters}`)
  return at
}

const scan = decoded(stills.jpeg).subarray(placeOf('jpeg', '\xff\xda'), -2)
const frameOfGif = decoded(stills.gif).subarray(placeOf('gif', '\x2c'), -1)
const pngChunk = (name: string, ...data: number[]) =>
  Uint8Array.of(0, 0, 0, data.length, ...text(name), ...data, 0, 0, 0, 0)

/** By their fault. */
export const hostilePictures: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'the bomb of comments': commentBomb,
  'the bomb of uses': useBomb,
  'an SVG': text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  'a page': text('<!doctype html><title>picture</title>'),
  nothing: new Uint8Array(0),
  'more than 64 KiB': joined(decoded(stills.png), new Uint8Array(64 * 1024)),
  'a PNG of 65,535 pixels a side': changed('png', { at: 16, bytes: [0, 0, 255, 255, 0, 0, 255, 255] }),
  'a PNG of 1,025 pixels': changed('png', { at: 16, bytes: [0, 0, 4, 1] }),
  'a PNG without a pixel': changed('png', { at: 16, bytes: [0, 0, 0, 0] }),
  'a PNG with a second header': inserted('png', 33, decoded(stills.png).subarray(8, 33)),
  'a PNG that says it moves': inserted('png', 33, pngChunk('acTL', 0, 0, 39, 16, 0, 0, 0, 0)),
  'a PNG with frames': inserted('png', 33, pngChunk('fcTL', 0)),
  'a PNG whose chunk reaches beyond it': changed('png', { at: 33, bytes: [127, 255, 255, 255] }),
  'a JPEG of 65,535 pixels a side': changed('jpeg', {
    at: placeOf('jpeg', '\xff\xc0') + 5,
    bytes: [255, 255, 255, 255],
  }),
  'a JPEG whose height comes later': changed('jpeg', { at: placeOf('jpeg', '\xff\xc0') + 5, bytes: [0, 0] }),
  'a JPEG with two sizes': inserted(
    'jpeg',
    placeOf('jpeg', '\xff\xda'),
    Uint8Array.of(0xff, 0xc0, 0, 8, 8, 255, 255, 255, 255, 0),
  ),
  'a JPEG with thousands of scans': joined(
    decoded(stills.jpeg).subarray(0, -2),
    ...Array.from({ length: 600 }, () => scan),
    Uint8Array.of(0xff, 0xd9),
  ),
  'a JPEG of twelve bits': changed('jpeg', { at: placeOf('jpeg', '\xff\xc0') + 4, bytes: [12] }),
  'a JPEG that is lossless': changed('jpeg', { at: placeOf('jpeg', '\xff\xc0') + 1, bytes: [0xc3] }),
  'a GIF of 65,535 pixels a side': changed('gif', { at: 6, bytes: [255, 255, 255, 255] }),
  'a GIF whose frame is larger than it': changed('gif', { at: placeOf('gif', '\x2c') + 5, bytes: [255, 255] }),
  'a GIF of a thousand frames': joined(
    decoded(stills.gif).subarray(0, -1),
    ...Array.from({ length: 1000 }, () => frameOfGif.subarray(0, 60)),
    Uint8Array.of(0x3b),
  ),
  'a GIF that moves': decoded(moving.movingGif),
  'a WebP of 16,383 pixels a side': changed('webp', { at: 26, bytes: [255, 63, 255, 63] }),
  'a lossless WebP of 16,384 pixels': changed('losslessWebp', { at: 21, bytes: [255, 255, 255, 15] }),
  'a WebP whose canvas is smaller than its picture': changed('clearWebp', { at: 24, bytes: [1, 0, 0, 1, 0, 0] }),
  'a WebP whose picture is larger than its canvas': changed('clearWebp', {
    at: placeOf('clearWebp', 'VP8 ') + 14,
    bytes: [255, 63],
  }),
  'a WebP that says it moves': changed('clearWebp', { at: 20, bytes: [0x12] }),
  'a WebP that moves': decoded(moving.movingWebp),
  'a WebP that says it is longer': changed('webp', { at: 4, bytes: [255, 255, 0, 0] }),
  'an AVIF of 65,535 pixels by its property': changed('avif', {
    at: placeOf('avif', 'ispe') + 8,
    bytes: [0, 0, 255, 255, 0, 0, 255, 255],
  }),
  'an AVIF whose coded picture has another size than its property': changed('avif', {
    // The reduced header of a still: profile, two flags and a level are ten bits, then the width of its numbers
    at: sequenceAt() + 1,
    bytes: [0b00111111, 0b11111111, 0b11111111, 0b11111111, 0b11111111],
  }),
  'an AVIF that is a grid': changed('avif', { at: placeOf('avif', 'av01'), bytes: [...text('grid')] }),
  'an AVIF that is a film': changed('avif', { at: 8, bytes: [...text('avis')] }),
  'an AVIF whose picture lies beyond its end': changed('avif', {
    at: placeOf('avif', 'iloc') + 22,
    bytes: [127, 255, 255, 255],
  }),
  'an AVIF with two frames': withTwoFrames(),
}

/** Offset of the payload of the sequence header. */
function sequenceAt(): number {
  return placeOf('avif', '\x12\x00\x0a') + 4
}

/** Contains the frame's unit twice; only the item's length changes. */
function withTwoFrames(): Uint8Array<ArrayBuffer> {
  const bytes = decoded(stills.avif)
  const frame = bytes.subarray(bytes.indexOf(0x32, sequenceAt()))
  const twice = joined(bytes, frame)
  const view = new DataView(twice.buffer)
  const box = placeOf('avif', 'mdat') - 4
  view.setUint32(box, view.getUint32(box) + frame.length)
  const length = placeOf('avif', 'iloc') + 26
  view.setUint32(length, view.getUint32(length) + frame.length)
  return twice
}

/** Every honest picture cut off at every byte. */
export function cutOff(): { name: string; bytes: Uint8Array<ArrayBuffer> }[] {
  return Object.entries(stills).flatMap(([name, base64]) => {
    const whole = decoded(base64)
    return Array.from({ length: whole.length }, (_, end) => ({ name: `${name} to ${end}`, bytes: whole.slice(0, end) }))
  })
}
