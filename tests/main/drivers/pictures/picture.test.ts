import { afterEach, describe, expect, test, vi } from 'vitest'
import { pictureAddress, readPicture } from '../../../../src/main/drivers/pictures/picture.ts'
import { commentBomb, cutOff, hostilePictures, useBomb } from './hostile.ts'
import { decoded, moving, stills, typeOf } from './samples.ts'

afterEach(() => void vi.restoreAllMocks())

test.each(Object.entries(stills))('picture: the size of %s is read from its bytes', (name, base64) => {
  expect(readPicture(decoded(base64))).toEqual({ type: typeOf(name), width: 24, height: 16 })
})

test('picture: the two that hung the page have the sizes the review measured', () => {
  expect([commentBomb.length, useBomb.length < 2000]).toEqual([421, true])
})

test.each(Object.entries(hostilePictures))('picture: %s is refused', (_, bytes) => {
  expect(readPicture(bytes)).toBeUndefined()
})

test('picture: one that is cut off anywhere is refused', () => {
  expect(cutOff().filter(({ bytes }) => readPicture(bytes) !== undefined)).toEqual([])
})

test.each(Object.entries(moving))('picture: %s is refused', (_, base64) => {
  expect(readPicture(decoded(base64))).toBeUndefined()
})

describe('picture: a read looks at each byte a few times at most', () => {
  const filled = (head: string, ...fill: number[]) =>
    Uint8Array.from({ length: 64 * 1024 }, (_, at) => head.charCodeAt(at) || (fill[at % fill.length] ?? 0))
  const png = `${atob(stills.png).slice(0, 33)}`
  test.each([
    ['a JPEG of fill bytes', filled('\xff\xd8\xff', 0xff)],
    ['a JPEG of empty segments', filled('\xff\xd8\xff\xe0\0\x02', 0xff, 0xe0, 0, 2)],
    ['a PNG of empty chunks', filled(png, 0)],
    ['a GIF of empty blocks', filled(atob(stills.gif).slice(0, 13), 0x21, 0xf9, 0)],
    ['a WebP of empty chunks', filled('RIFF\xf8\xff\0\0WEBP', 0)],
    ['an AVIF of empty boxes', filled(atob(stills.avif).slice(0, 28), 0, 0, 0, 8)],
    ...Object.entries(hostilePictures),
  ])('%s', (_, bytes) => {
    let looks = 0
    for (const name of ['getUint8', 'getUint16', 'getUint32'] as const) {
      const original = DataView.prototype[name]
      vi.spyOn(DataView.prototype, name).mockImplementation(function (this: DataView, at, isLittle) {
        looks += 1
        return original.call(this, at, isLittle)
      })
    }
    readPicture(bytes)
    expect(looks).toBeLessThanOrEqual(4 * bytes.length + 64)
  })
})

describe('picture: a data address', () => {
  const png = stills.png

  test('is shown under the type of its bytes, whatever type it names', () => {
    const shown = `data:image/png;base64,${png}`
    expect(pictureAddress(shown)).toBe(shown)
    expect(pictureAddress(`data:image/svg+xml;base64,${png}`)).toBe(shown)
    expect(pictureAddress(`DATA:image/gif;charset=utf-8;BASE64,${png}`)).toBe(shown)
  })

  test.each([
    ['an SVG', `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`],
    ['an SVG as text', 'data:image/svg+xml;utf8,<svg/>'],
    ['an SVG that calls itself PNG', `data:image/png;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`],
    ['a page', `data:text/html;base64,${png}`],
    ['a script', 'javascript:alert(1)'],
    ['an address', 'https://spy.example/pixel.png'],
    ['no base64', `data:image/png;base64,${png}*`],
    ['a head without end', `data:image/png${';a=b'.repeat(1000)};base64,${png}`],
    ['megabytes', `data:image/png;base64,${'A'.repeat(1e6)}`],
    ['a number', 7],
    ['nothing', undefined],
  ])('with %s is not shown', (_, given) => {
    expect(pictureAddress(given)).toBeUndefined()
  })
})
