import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Addresses,
  addressesFrom,
  addressNames,
  connectOrigins,
  productionAddresses,
} from '../../scripts/addresses.ts'
import { platformUrl } from '../../src/main/platformUrl.ts'
import { createChainReads } from '../../src/worker/drivers/solana/chainReads.ts'
import { createDirectoryDriver } from '../../src/worker/drivers/directory.ts'
import type { Drive } from '../../src/runtime/host/driver.ts'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import { memoryBytes } from '../../src/worker/drivers/bytes.ts'
import { createReach } from '../../src/worker/drivers/walletconnect/reach.ts'
import { createSolanaDriver } from '../../src/worker/drivers/solana/solana.ts'
import { socketUrl } from '../../src/worker/walletconnect/relay/relayUrl.ts'
import { devHeaders, productionHeaders } from '../../scripts/headers.ts'

const sources = join(import.meta.dirname, '../../src/main')

const local: Addresses = {
  ...productionAddresses,
  VITE_RELAY_URL: 'ws://127.0.0.1:8870',
  VITE_SOLANA_RPC_URL: 'http://127.0.0.1:8899/rpc?key=1',
  VITE_API_URL: 'https://api.example',
  VITE_CONFIG_URL: 'https://config.example/v1',
  VITE_TERMS_URL: 'https://sale.example/terms.json',
}

function directives(csp: string | undefined): Map<string, string> {
  return new Map((csp ?? '').split('; ').map(part => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]))
}

describe('the headers', () => {
  test('allow connections to the configured services only, to sockets of relays and nodes alone', () => {
    expect(connectOrigins(local)).toEqual([
      'http://127.0.0.1:8870',
      'http://127.0.0.1:8899',
      'https://api.example',
      'https://config.example',
      'https://sale.example',
      'ws://127.0.0.1:8870',
      'ws://127.0.0.1:8899',
    ])
  })

  test('name no origin that no driver calls', async () => {
    const called = new Set<string>()
    const load: typeof fetch = async input => {
      called.add(new URL(String(input)).origin)
      return new Response('{}')
    }
    const http = createHttp({ fetch: load, wait: async () => {} })
    const carry = async (drive: Drive | undefined, data: unknown) => drive?.({ id: 'e1.1.0', data }, () => undefined)
    const sale = createSolanaDriver({
      rpcUrls: [local.VITE_SOLANA_RPC_URL],
      sale: { authority: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3', id: 'mai-presale-1' },
      termsUrl: local.VITE_TERMS_URL,
      http,
      bytes: memoryBytes(),
      now: () => 0,
    })
    await carry(sale['chain.identify'], {})
    await carry(sale['chain.readTerms'], {})
    vi.stubGlobal(
      'WebSocket',
      class {
        readyState = 0
        constructor(url: string) {
          called.add(new URL(url).origin)
        }
        close() {}
      },
    )
    const to = [{ orderId: 'order-1', kind: 'account', account: 'a' }]
    await carry(sale['node.listen'], { socket: 1, endpoint: 0, to })
    vi.unstubAllGlobals()
    const directory = createDirectoryDriver({ configUrl: local.VITE_CONFIG_URL, projectId: 'p', http })
    await carry(directory['directory.read'], { page: 1, entries: 1, search: '', include: [], exclude: [] })
    const node = platformUrl({ apiUrl: local.VITE_API_URL, projectId: 'p' }, '/v1/', { chainId: 'eip155:1' })
    await createChainReads(() => http)({ url: node ?? '', method: 'eth_chainId', params: [] })
    await createReach({ now: () => 0, load })('relay', local.VITE_RELAY_URL)
    called.add(new URL(socketUrl({ relayUrl: local.VITE_RELAY_URL, auth: 'a', projectId: 'p', ua: 'u' })).origin)
    expect([...called].sort()).toEqual(connectOrigins(local))
  })

  test('use only variables that the page reads', () => {
    const read = ['config.ts', 'page/presaleConfig.ts']
      .map(name => readFileSync(join(sources, name), 'utf8'))
      .join('\n')
    for (const name of addressNames) expect(read).toContain(`import.meta.env.${name}`)
  })

  test('let the page connect to every relay, and ask each over http why it refused', () => {
    const several = { ...local, VITE_RELAY_URL: 'wss://a.example/x?token=1, ws://127.0.0.1:8870' }
    const origins = connectOrigins(several)
    expect(origins).toEqual([...connectOrigins(local), 'https://a.example', 'wss://a.example'].sort())
  })

  test('let the page connect to every Solana endpoint and to its socket', () => {
    const several = { ...local, VITE_SOLANA_RPC_URL: `${local.VITE_SOLANA_RPC_URL},https://b.example/rpc?key=2` }
    const origins = connectOrigins(several)
    expect(origins).toEqual([...connectOrigins(local), 'https://b.example', 'wss://b.example'].sort())
  })

  test('allow the verify service’s frame and its key where one is set, and no frame else', () => {
    const csp = (addresses: typeof local) =>
      directives(productionHeaders({ addresses, https: true })['Content-Security-Policy'])
    expect(csp(local).has('frame-src')).toBe(false)
    const verified = csp({ ...local, VITE_VERIFY_URL: 'https://verify.example' })
    expect(verified.get('frame-src')).toBe('https://verify.example')
    const added = (verified.get('connect-src') ?? '')
      .split(' ')
      .filter(one => !csp(local).get('connect-src')?.includes(one))
    expect(added).toEqual(['https://verify.example'])
  })

  test('allow the wallet apps of an Android device, at any port of the device itself', () => {
    const csp = directives(productionHeaders({ addresses: local, https: true })['Content-Security-Policy'])
    expect(csp.get('connect-src')?.split(' ')).toContain('ws://localhost:*')
  })

  test('allow the analytics service where one is set', () => {
    const origins = connectOrigins({ ...local, VITE_ANALYTICS_URL: 'https://pulse.example/base' })
    expect(origins).toEqual([...connectOrigins(local), 'https://pulse.example'].sort())
    expect(addressesFrom('/nowhere', 'production').VITE_ANALYTICS_URL).toBe('')
  })

  test('of a build allow the import maps of its pages by their hashes, and no other inline script', () => {
    const headers = productionHeaders({ addresses: local, https: true, inline: ['sha256-a', 'sha256-b'] })
    const csp = directives(headers['Content-Security-Policy'])
    expect(csp.get('script-src')).toBe("'self' 'sha256-a' 'sha256-b'")
    expect(csp.get('style-src')).toBe("'self'")
  })

  test('of a build keep the clipboard from being read and devices from being found', () => {
    const policy = productionHeaders({ addresses: local, https: true })['Permissions-Policy']
    for (const name of ['clipboard-read', 'bluetooth', 'usb', 'hid', 'serial']) expect(policy).toContain(`${name}=()`)
  })

  test('of a build allow no inline code and no other origins', () => {
    const headers = productionHeaders({ addresses: local, https: true })
    const csp = directives(headers['Content-Security-Policy'])
    expect(csp.get('default-src')).toBe("'none'")
    expect(csp.get('script-src')).toBe("'self'")
    expect(csp.get('style-src')).toBe("'self'")
    expect(csp.get('worker-src')).toBe("'self'")
    expect(csp.get('img-src')).toBe("'self' data: blob:")
    expect(csp.get('require-trusted-types-for')).toBe("'script'")
    expect(csp.get('trusted-types')).toBe('app')
    expect(csp.get('frame-ancestors')).toBe("'none'")
    expect(headers['Strict-Transport-Security']).toContain('max-age=')
  })

  test('promise https only where the site is served over it', () => {
    expect(productionHeaders({ addresses: local, https: false })).not.toHaveProperty('Strict-Transport-Security')
  })

  test('of development differ from those of a build by the nonce and the socket alone', () => {
    const dev = devHeaders(local)
    const built = productionHeaders({ addresses: local, https: false })
    const without = dev['Content-Security-Policy']?.replaceAll(" 'nonce-dev'", '').replace(' ws:;', ';')
    expect({ ...dev, 'Content-Security-Policy': without }).toEqual(built)
  })
})

describe('an address in the environment', () => {
  const set = (name: string, value: string) => {
    vi.stubEnv(name, value)
    return () => addressesFrom('/nowhere', 'production')
  }
  afterEach(() => void vi.unstubAllEnvs())

  test('of relays may be a list', () => {
    expect(set('VITE_RELAY_URL', 'wss://a.example,wss://b.example')().VITE_RELAY_URL).toBe(
      'wss://a.example,wss://b.example',
    )
  })

  test('of relays that ends with a comma is refused', () => {
    expect(set('VITE_RELAY_URL', 'wss://a.example,')).toThrow(/^VITE_RELAY_URL expected .* got ""$/)
  })

  test('is no word but on for the guard', () => {
    expect(set('VITE_SALE_GUARD', 'on')().VITE_SALE_GUARD).toBe('on')
    expect(set('VITE_SALE_GUARD', 'yes')).toThrow('VITE_SALE_GUARD expected on, got "yes"')
  })

  test('is no key of an authority', () => {
    expect(set('VITE_SALE_AUTHORITY', 'me')).toThrow('VITE_SALE_AUTHORITY expected base58 of 32 bytes, got "me"')
  })

  test.each(['x', 'my project', `${'0'.repeat(31)}g`, '0'.repeat(33)])('is no project id: %s', value => {
    expect(set('VITE_PROJECT_ID', value)).toThrow(`VITE_PROJECT_ID expected 32 hex digits, got "${value}"`)
  })

  test('of the verify service is off when unset', () => {
    expect(addressesFrom('/nowhere', 'production').VITE_VERIFY_URL).toBe('')
  })

  test('of the verify service loses a slash at its end', () => {
    expect(set('VITE_VERIFY_URL', 'https://verify.example/')().VITE_VERIFY_URL).toBe('https://verify.example')
  })

  test.each(['wss://verify.example', './verify', 'https://verify.example/?a=1', 'http://verify.example'])(
    'of the verify service is refused as %s',
    value => {
      expect(set('VITE_VERIFY_URL', value)).toThrow(/^VITE_VERIFY_URL expected an https URL without query/)
    },
  )
})
