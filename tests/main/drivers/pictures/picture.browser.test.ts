import { expect, test } from 'vitest'
import { pictureAddress, readPicture } from '../../../../src/main/drivers/pictures/picture.ts'
import { decoded, stills } from './samples.ts'

test.each(Object.entries(stills))('picture: the browser decodes %s to the size that was read', async (_, base64) => {
  const address = pictureAddress(`data:image/png;base64,${base64}`)
  const image = new Image()
  image.src = address ?? ''
  await image.decode()
  expect(readPicture(decoded(base64))).toMatchObject({ width: image.naturalWidth, height: image.naturalHeight })
})
