import { describe, expect, test } from 'vitest'
import { connectOrigins, productionAddresses } from '../../scripts/addresses.ts'
import { devHeaders, productionHeaders } from '../../scripts/headers.ts'

const local = {
  ...productionAddresses,
  VITE_RELAY_URL: 'ws://127.0.0.1:8870',
  VITE_SOLANA_RPC_URL: 'http://127.0.0.1:8899/rpc?key=1',
  VITE_API_URL: 'https://api.example',
  VITE_CONFIG_URL: 'https://api.example/config',
  VITE_ANALYTICS_URL: 'https://api.example',
  VITE_SECURE_SITE_URL: 'https://api.example',
}

function directives(csp: string | undefined): Map<string, string> {
  return new Map((csp ?? '').split('; ').map(part => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]))
}

describe('the headers', () => {
  test('let the page connect to the configured origins and to no other', () => {
    expect(connectOrigins(local)).toEqual([
      'http://127.0.0.1:8870',
      'http://127.0.0.1:8899',
      'https://api.example',
      'ws://127.0.0.1:8870',
      'ws://127.0.0.1:8899',
      'ws://127.0.0.1:8900',
      'wss://api.example',
    ])
  })

  test('of a build allow nothing inline and nothing from elsewhere', () => {
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
