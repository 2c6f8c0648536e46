/** Pictures of the project configuration service. Each is checked first, and `<img>` shows it from a blob address. */
import { modalSdk } from '../../events/values/modalSdk.ts'
import type { PictureOf } from '../../ui/react.tsx'
import { assetImageId } from './assetImages.ts'
import { pictureBytes, readPicture } from './pictures/picture.ts'

export type Images = {
  /**
   * A wallet's picture goes by its picture id, a network's by its CAIP-2 id, a connector's by its kind, others by code or symbol.
   *
   * @returns the picture's blob address; undefined when there is none now. A later call retries once.
   */
  picture(of: PictureOf, name: string): Promise<string | undefined>
}

/** `online`: whether the device has a network. `own`: addresses of pictures of the host's wallets, by their picture ids. */
type Ports = {
  configUrl: string
  projectId: string
  online(): boolean
  own?: { readonly [imageId: string]: string }
}

const atOnce = 6
const deadlineMs = 10_000

/** Makes an empty store of pictures. Each is fetched once, and after a failure once more; six at a time. */
export function createImages({ configUrl, projectId, online, own = {} }: Ports): Images {
  const found = new Map<string, Promise<string | undefined>>()
  const failed = new Set<string>()
  const waiting: (() => void)[] = []
  let running = 0

  async function turn(): Promise<void> {
    if (running >= atOnce) await new Promise<void>(resolve => waiting.push(resolve))
    else running += 1
  }
  /** Passes the place to the next in line, or frees it. */
  function done(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  /** @returns the address of a service's picture, or the host's own; undefined where there is none */
  function addressOf(of: PictureOf, name: string): string | undefined {
    if (of === 'wallet' && Object.hasOwn(own, name)) return own[name]
    const route = routeOf(of, name)
    const query = new URLSearchParams({ projectId, st: 'appkit', sv: modalSdk })
    return route && `${configUrl.replace(/\/$/, '')}/${route}?${query}`
  }

  async function load(address: string): Promise<string | undefined> {
    await turn()
    try {
      const response = await fetch(address, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(deadlineMs),
      })
      const bytes = response.ok ? await limited(response) : undefined
      const picture = bytes && readPicture(bytes)
      return bytes && picture ? URL.createObjectURL(new Blob([bytes], { type: picture.type })) : undefined
    } catch {
      return undefined
    } finally {
      done()
    }
  }

  return {
    async picture(of, name) {
      const address = addressOf(of, name)
      if (address === undefined) return undefined
      const known = found.get(address)
      if (known) return known
      const loading = load(address)
      found.set(address, loading)
      void loading.then(url => {
        // One without a network says nothing of the picture
        if (url !== undefined || failed.has(address)) return
        if (online()) failed.add(address)
        found.delete(address)
      })
      return loading
    },
  }
}

function routeOf(of: PictureOf, name: string): string | undefined {
  switch (of) {
    case 'wallet':
      return `getWalletImage/${encodeURIComponent(name)}`
    case 'currency':
      return `public/getCurrencyImage/${encodeURIComponent(name)}`
    case 'token':
      return `public/getTokenImage/${encodeURIComponent(name)}`
    default: {
      const imageId = assetImageId(of, name)
      return imageId === undefined ? undefined : `public/getAssetImage/${imageId}`
    }
  }
}

/** The body, or undefined as soon as it is longer than a picture may be. */
async function limited(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!response.body) return undefined
  const bytes = new Uint8Array(pictureBytes)
  let length = 0
  const reader = response.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (length + part.value.length > pictureBytes) {
      await reader.cancel()
      return undefined
    }
    bytes.set(part.value, length)
    length += part.value.length
  }
  return bytes.slice(0, length)
}
