import { describe, expect, test } from 'vitest'
import { readModalConfig } from '../../src/main/hostConfig.ts'

const built = {
  projectId: 'built',
  relayUrl: 'wss://relay.example',
  solanaRpcUrl: 'https://rpc.example',
  apiUrl: 'https://api.example',
  configUrl: 'https://config.example',
  analyticsUrl: 'https://analytics.example',
  secureSiteUrl: 'https://secure.example',
  termsUrl: 'https://host.example/terms.json',
}
const metadata = { name: 'Host', description: '', url: 'https://host.example', icons: ['https://host.example/a.png'] }
const least = { projectId: 'p1', metadata }

describe('a config', () => {
  test('of the two required keys uses the addresses of the build and shows every wallet', () => {
    expect(readModalConfig(least, built)).toEqual({
      addresses: { ...built, projectId: 'p1' },
      ui: {
        appName: 'Host',
        termsUrl: '',
        privacyUrl: '',
        solanaRpcUrl: 'https://rpc.example',
        allWallets: 'SHOW',
        featured: [],
      },
      host: { featured: [], metadata },
      themeMode: 'system',
      themeVariables: [],
    })
  })

  test('may set everything there is to set', () => {
    const settings = readModalConfig(
      {
        ...least,
        themeMode: 'dark',
        themeVariables: {
          '--mai-accent': 'hsla(231, 100%, 70%, 1)',
          '--mai-z-index': 5,
          '--mai-color-mix-strength': 20,
        },
        featuredWalletIds: ['w1', 'w2'],
        allWallets: 'ONLY_MOBILE',
        features: { analytics: true, email: false, socials: false, onramp: false },
        termsUrl: 'https://host.example/terms',
        privacyUrl: 'https://host.example/privacy',
        addresses: { relayUrl: 'ws://127.0.0.1:1', solanaRpcUrl: 'http://127.0.0.1:2' },
      },
      built,
    )
    expect(settings).toMatchObject({
      addresses: { relayUrl: 'ws://127.0.0.1:1', solanaRpcUrl: 'http://127.0.0.1:2', configUrl: built.configUrl },
      ui: { allWallets: 'ONLY_MOBILE', featured: ['w1', 'w2'], termsUrl: 'https://host.example/terms' },
      host: { featured: ['w1', 'w2'] },
      themeMode: 'dark',
      themeVariables: [
        ['--mai-accent', 'hsla(231, 100%, 70%, 1)'],
        ['--mai-z-index', '5'],
        ['--mai-color-mix-strength', '20%'],
      ],
    })
  })

  test('with a key left undefined is a config without it', () => {
    expect(readModalConfig({ ...least, themeMode: undefined }, built).themeMode).toBe('system')
  })

  test('is copied: what the host changes later changes nothing', () => {
    const icons = ['https://host.example/a.png']
    const settings = readModalConfig({ ...least, metadata: { ...metadata, icons } }, built)
    icons.push('https://host.example/b.png')
    expect(settings.host.metadata.icons).toHaveLength(1)
  })
})

test.each<[string, unknown, string]>([
  ['no config', undefined, 'config expected an object, got undefined'],
  ['a list', [], 'config expected an object, got a list'],
  ['no project', { metadata }, 'projectId expected a value, got undefined'],
  [
    'an empty project',
    { ...least, projectId: '' },
    'projectId expected text of 1 to 200 characters, got text of 0 characters',
  ],
  ['no metadata', { projectId: 'p1' }, 'metadata expected a value, got undefined'],
  [
    'metadata in part',
    { ...least, metadata: { name: 'Host' } },
    'metadata.description expected a value, got undefined',
  ],
  [
    'an icon that is a script',
    { ...least, metadata: { ...metadata, icons: ['javascript:alert(1)'] } },
    'metadata.icons[0] expected an address that begins with https: or http:, got "javascript:alert(1)"',
  ],
  [
    'an unknown key',
    { ...least, enableAnalytics: true },
    'config expected none but the keys projectId, metadata, themeMode, themeVariables, featuredWalletIds, allWallets, features, termsUrl, privacyUrl, addresses, got enableAnalytics',
  ],
  ['a key of every object', { ...least, constructor: 1 }, 'addresses, got constructor'],
  ['an unknown theme', { ...least, themeMode: 'blue' }, 'themeMode expected light or dark or system, got "blue"'],
  ['an unknown variable', { ...least, themeVariables: { '--w3m-accent': 'red' } }, 'got --w3m-accent'],
  [
    'a style that fetches',
    { ...least, themeVariables: { '--mai-background': 'URL (https://x.example)' } },
    'themeVariables.--mai-background expected a number or a CSS value without url()',
  ],
  [
    'a style with an end',
    { ...least, themeVariables: { '--mai-accent': 'red; color: blue' } },
    'got "red; color: blue"',
  ],
  [
    'a style that is endless',
    { ...least, themeVariables: { '--mai-z-index': Number.POSITIVE_INFINITY } },
    'got Infinity',
  ],
  [
    'featured wallets as text',
    { ...least, featuredWalletIds: 'w1' },
    'featuredWalletIds expected a list of at most 50, got "w1"',
  ],
  [
    'a featured wallet as a number',
    { ...least, featuredWalletIds: ['w1', 2] },
    'featuredWalletIds[1] expected text of 1 to 200 characters, got 2',
  ],
  ['allWallets as a flag', { ...least, allWallets: true }, 'allWallets expected SHOW or HIDE or ONLY_MOBILE, got true'],
  [
    'a feature this modal does not have',
    { ...least, features: { email: true } },
    'features.email expected false, as this modal does not have it, got true',
  ],
  ['a feature as text', { ...least, features: { send: 'yes' } }, 'features.send expected true or false, got "yes"'],
  ['an unknown feature', { ...least, features: { bridge: true } }, 'got bridge'],
  [
    'a relay over http',
    { ...least, addresses: { relayUrl: 'https://relay.example' } },
    'addresses.relayUrl expected an address that begins with wss: or ws:',
  ],
  [
    'an RPC that is no address',
    { ...least, addresses: { solanaRpcUrl: 'rpc' } },
    'addresses.solanaRpcUrl expected an address that begins with https: or http:, got text of 3 characters',
  ],
  ['the project among the addresses', { ...least, addresses: { projectId: 'p2' } }, 'got projectId'],
])('%s is refused in a sentence that names the key', (_, config, sentence) => {
  expect(() => readModalConfig(config, built)).toThrow(sentence)
  expect(() => readModalConfig(config, built)).toThrow(/^createModal: /)
})
