import { describe, expect, test } from 'vitest'
import { coreConfig } from '../../../src/main/config.ts'
import { configConflicts } from '../../../src/main/embed/config/configConflicts.ts'
import { readModalConfig } from '../../../src/main/embed/config/hostConfig.ts'
import { isPointOfP256 } from '../../../src/main/embed/config/p256.ts'

const built = {
  projectId: 'built',
  relayUrl: 'wss://relay.example',
  solanaRpcUrl: 'https://rpc.example',
  apiUrl: 'https://api.example',
  configUrl: 'https://config.example',
  termsUrl: 'https://host.example/terms.json',
}
/** A public key made by Node's crypto. */
const verifyKey = {
  x: 'PslG0QiEgtu4UddgHKktBWWqf6Kolhe7zRuyJJMdtlE',
  y: 'O-x8bjXHd_sYPXWO9TH3r8hGCDhK8kHslGX6Jo4RPU4',
}
const metadata = { name: 'Host', description: '', url: 'https://host.example', icons: ['https://host.example/a.png'] }
const least = { projectId: 'p1', metadata }

/** Features that this version lacks. */
const lacking = {
  smartSessions: false,
  pay: false,
  emailShowWallets: false,
  email: false,
  socials: [],
  swaps: [],
  onramp: [],
  reownBranding: false,
}

/** The settings, with all that the console says. */
function read(config: unknown, told: string[] = []) {
  const { read: kept, live: _, ...settings } = readModalConfig(config, built, sentence => told.push(sentence))
  told.push(...configConflicts(kept))
  return settings
}

describe('a config', () => {
  test('of the two required keys uses the addresses of the build and shows every wallet', () => {
    expect(read(least)).toEqual({
      addresses: { ...built, projectId: 'p1' },
      ui: {
        appName: 'Host',
        termsUrl: '',
        privacyUrl: '',
        solanaRpcUrl: 'https://rpc.example',
        allWallets: 'SHOW',
        featured: [],
        host: { recording: false },
      },
      host: { featured: [], metadata, features: lacking },
      themeMode: 'system',
      themeProperties: [],
      embedded: undefined,
      shadowRoot: 'open',
    })
  })

  test('may set every key', () => {
    const settings = read({
      ...least,
      themeMode: 'dark',
      themeVariables: {
        '--mai-accent': 'hsla(231, 100%, 70%, 1)',
        '--mai-z-index': 5,
        '--mai-color-mix-strength': 20,
      },
      featuredWalletIds: ['w1', 'w2'],
      excludeWalletIds: ['w3'],
      includeWalletIds: ['w4'],
      analytics: { consent: 'later', events: true, errorReports: false },
      allWallets: 'ONLY_MOBILE',
      recording: 'SHOW',
      termsUrl: 'https://host.example/terms',
      privacyUrl: 'https://host.example/privacy',
      addresses: { relayUrl: 'ws://127.0.0.1:1', solanaRpcUrl: 'http://127.0.0.1:2' },
      sale: { authority: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3', id: 'mai-presale-1' },
    })
    expect(settings).toMatchObject({
      addresses: { relayUrl: 'ws://127.0.0.1:1', solanaRpcUrl: 'http://127.0.0.1:2', configUrl: built.configUrl },
      ui: {
        allWallets: 'ONLY_MOBILE',
        featured: ['w1', 'w2'],
        termsUrl: 'https://host.example/terms',
        host: { recording: true },
      },
      host: {
        featured: ['w1', 'w2'],
        excluded: ['w3'],
        included: ['w4'],
        analytics: { consent: 'later', events: true, errorReports: false },
        sale: { authority: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3', id: 'mai-presale-1' },
      },
      themeMode: 'dark',
      themeProperties: [
        ['--mai-accent', 'hsla(231, 100%, 70%, 1)'],
        ['--mai-z-index', '5'],
        ['--mai-color-mix-strength', '20%'],
      ],
    })
  })

  test('has its features checked, and those that this version lacks are off', () => {
    const features = {
      allWallets: false,
      analytics: false,
      connectMethodsOrder: [] as [],
      walletFeaturesOrder: ['send' as const, 'receive' as const],
      history: false as const,
      socials: false as const,
      swaps: [] as [],
    }
    const { ui, host } = read({ ...least, features })
    expect(ui.allWallets).toBe('HIDE')
    expect(host.features).toEqual({
      ...lacking,
      allWallets: false,
      analytics: false,
      walletFeaturesOrder: ['send', 'receive'],
      activity: false,
    })
    expect(coreConfig(built, host)).toMatchObject({ features: host.features })
  })

  test('that gives the service the first word sets only what it names', () => {
    const config = { ...least, features: { socials: false, history: false }, remoteFeatures: 'service' }
    expect(read(config).host).toMatchObject({ remoteFeatures: 'service' })
    expect(read(config).host.features).toEqual({ socials: [], activity: false })
  })

  test('hands its theme on for INITIALIZE, where it names one', () => {
    expect(read({ ...least, themeMode: 'dark' }).host.analytics).toEqual({ themeMode: 'dark' })
    expect(read(least).host).not.toHaveProperty('analytics')
  })

  test('that is basic tells it to the core', () => {
    expect(coreConfig(built, read({ ...least, basic: true }).host)).toMatchObject({ basic: true })
    expect(coreConfig(built, read({ ...least, basic: false }).host)).not.toHaveProperty('basic')
  })

  test('passes its WalletConnect keys to the core, without undefined chains', () => {
    const walletConnect = {
      universalLink: 'https://host.example/app',
      linkModeApps: ['https://wallet.example/wc', 'http://localhost:3000'],
      verifyUrl: 'https://verify.example/',
      verifyKey,
      evmRpcUrls: {
        'eip155:1': 'https://rpc.example/v3/key?token=1',
        'eip155:31337': 'http://127.0.0.1:8545',
        'eip155:10': undefined,
      },
    }
    const { host } = read({ ...least, walletConnect })
    expect(host).toStrictEqual({
      featured: [],
      metadata,
      features: lacking,
      links: { universal: 'https://host.example/app', apps: ['https://wallet.example/wc', 'http://localhost:3000'] },
      verifyUrl: 'https://verify.example',
      verifyKey,
      evmRpcUrls: { 'eip155:1': 'https://rpc.example/v3/key?token=1', 'eip155:31337': 'http://127.0.0.1:8545' },
    })
  })

  test('with a universal link alone accepts link messages from any wallet', () => {
    const walletConnect = { universalLink: 'https://host.example' }
    expect(read({ ...least, walletConnect }).host).toStrictEqual({
      featured: [],
      metadata,
      features: lacking,
      links: { universal: 'https://host.example', apps: [] },
    })
  })

  test('with an empty WalletConnect part equals one without it', () => {
    expect(read({ ...least, walletConnect: {} })).toStrictEqual(read(least))
  })

  test('with several relays passes all of them to the core, in order', () => {
    const addresses = { relayUrl: 'wss://a.example, wss://b.example/path,ws://127.0.0.1:1' }
    const settings = read({ ...least, addresses })
    expect(coreConfig(settings.addresses, settings.host).relayUrls).toEqual([
      'wss://a.example',
      'wss://b.example/path',
      'ws://127.0.0.1:1',
    ])
  })

  test('with several Solana endpoints names the log by the first and passes all of them to the core', () => {
    const addresses = { solanaRpcUrl: 'https://a.example/?key=1, https://b.example' }
    const settings = read({ ...least, addresses })
    expect(settings.ui.solanaRpcUrl).toBe('https://a.example/?key=1')
    expect(coreConfig(settings.addresses, settings.host)).toMatchObject({
      solanaRpcUrl: 'https://a.example/?key=1',
      moreRpcUrls: ['https://b.example'],
    })
    expect(coreConfig(built, settings.host).moreRpcUrls).toBeUndefined()
  })

  test('reaches the core with its keys', () => {
    const walletConnect = { verifyUrl: 'https://verify.example', evmRpcUrls: { 'eip155:1': 'https://rpc.example' } }
    const settings = read({ ...least, walletConnect })
    expect(coreConfig(settings.addresses, settings.host)).toMatchObject({
      relayUrls: [built.relayUrl],
      ...walletConnect,
    })
  })

  test('with an undefined key equals one without it', () => {
    expect(read({ ...least, themeMode: undefined }).themeMode).toBe('system')
  })

  test('is copied: later changes by the host have no effect', () => {
    const icons = ['https://host.example/a.png']
    const settings = read({ ...least, metadata: { ...metadata, icons } })
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
    'the address of a service that nothing calls',
    { ...least, addresses: { verifyUrl: 'https://verify.example' } },
    'addresses expected only the keys relayUrl, solanaRpcUrl, apiUrl, configUrl, termsUrl, analyticsUrl, got verifyUrl',
  ],
  [
    'a consent of another word',
    { ...least, analytics: { consent: 'never' } },
    'analytics.consent expected given or later',
  ],
  ['events as a number', { ...least, analytics: { events: 1 } }, 'analytics.events expected true or false, got 1'],
  [
    'an unknown key of analytics',
    { ...least, analytics: { addresses: true } },
    'consent, events, errorReports, got addresses',
  ],
  [
    'a relay over http',
    { ...least, addresses: { relayUrl: 'https://relay.example' } },
    'addresses.relayUrl expected an address that begins with wss: or ws:',
  ],
  [
    'a second relay over http',
    { ...least, addresses: { relayUrl: 'wss://a.example,https://b.example' } },
    'addresses.relayUrl expected an address that begins with wss: or ws:, or up to 10 of them with commas between them, got text of 33 characters',
  ],
  [
    'a comma with no relay behind it',
    { ...least, addresses: { relayUrl: 'wss://a.example,' } },
    'with commas between them, got text of 16 characters',
  ],
  [
    'eleven relays',
    { ...least, addresses: { relayUrl: Array.from({ length: 11 }, (_, at) => `wss://r${at}.example`).join() } },
    'up to 10 of them',
  ],
  ['relays as a list', { ...least, addresses: { relayUrl: ['wss://a.example'] } }, 'commas between them, got a list'],
  ['WalletConnect as text', { ...least, walletConnect: 'on' }, 'walletConnect expected an object, got "on"'],
  [
    'an unknown key for WalletConnect',
    { ...least, walletConnect: { relayUrl: 'wss://a.example' } },
    'walletConnect expected only the keys universalLink, linkModeApps, verifyUrl, verifyKey, evmRpcUrls, got relayUrl',
  ],
  [
    'a universal link of an app’s own scheme',
    { ...least, walletConnect: { universalLink: 'host://app' } },
    'walletConnect.universalLink expected an address that begins with https: and has no query, fragment or user, got "host://app"',
  ],
  [
    'a universal link with a query',
    { ...least, walletConnect: { universalLink: 'https://host.example/?a=1' } },
    'walletConnect.universalLink expected an address',
  ],
  [
    'wallets with links for a page without',
    { ...least, walletConnect: { linkModeApps: ['https://wallet.example'] } },
    'walletConnect.universalLink expected a value, got undefined',
  ],
  [
    'a wallet’s link over http',
    { ...least, walletConnect: { universalLink: 'https://host.example', linkModeApps: ['http://wallet.example'] } },
    'walletConnect.linkModeApps[0] expected an address that begins with https:',
  ],
  [
    'a verify service over http',
    { ...least, walletConnect: { verifyUrl: 'http://verify.example/?key=1' } },
    'walletConnect.verifyUrl expected an address that begins with https: and has no query, fragment or user, got text of 28 characters',
  ],
  [
    'half a key',
    { ...least, walletConnect: { verifyKey: { x: verifyKey.x } } },
    'walletConnect.verifyKey.y expected a value',
  ],
  [
    'a key with its secret part',
    { ...least, walletConnect: { verifyKey: { ...verifyKey, d: 'secret' } } },
    'walletConnect.verifyKey expected only the keys x, y, got d',
  ],
  [
    'a key in another writing',
    { ...least, walletConnect: { verifyKey: { ...verifyKey, y: 'O+x8bjXHd/sYPXWO9TH3r8hGCDhK8kHslGX6Jo4RPU4=' } } },
    'walletConnect.verifyKey.y expected 32 bytes as 43 characters of base64url, got text of 44 characters',
  ],
  [
    'a key off the curve',
    { ...least, walletConnect: { verifyKey: { x: verifyKey.y, y: verifyKey.x } } },
    'walletConnect.verifyKey expected x and y of a point on the curve P-256, got object',
  ],
  [
    'nodes as a list',
    { ...least, walletConnect: { evmRpcUrls: ['https://rpc.example'] } },
    'walletConnect.evmRpcUrls expected an object, got a list',
  ],
  [
    'a node of no Ethereum chain',
    { ...least, walletConnect: { evmRpcUrls: { 'solana:1': 'https://rpc.example' } } },
    'walletConnect.evmRpcUrls expected chains as in eip155:1 for keys, got text of 8 characters',
  ],
  [
    'a node over http elsewhere',
    { ...least, walletConnect: { evmRpcUrls: { 'eip155:1': 'http://rpc.example/key' } } },
    'walletConnect.evmRpcUrls.eip155:1 expected an address that begins with https: and has no user, got text of 22 characters',
  ],
  [
    'a node with a user',
    { ...least, walletConnect: { evmRpcUrls: { 'eip155:1': 'https://me:secret@rpc.example' } } },
    'walletConnect.evmRpcUrls.eip155:1 expected an address',
  ],
  [
    'an RPC that is no address',
    { ...least, addresses: { solanaRpcUrl: 'rpc' } },
    'addresses.solanaRpcUrl expected an address that begins with https: or http:, or up to 10 of them with commas between them, got text of 3 characters',
  ],
  [
    'a sale without its id',
    { ...least, sale: { authority: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3' } },
    'sale.id expected a value, got undefined',
  ],
  [
    'a sale of no key',
    { ...least, sale: { authority: 'me', id: 'mai' } },
    'sale.authority expected base58 of 32 bytes, got "me"',
  ],
  ['the project among the addresses', { ...least, addresses: { projectId: 'p2' } }, 'got projectId'],
])('host config: %s is refused with a sentence that names the key', (_, config, sentence) => {
  expect(() => read(config)).toThrow(sentence)
  expect(() => read(config)).toThrow(/^createModal: /)
})

test.each<[string, unknown, string]>([
  [
    'an unknown key',
    { ...least, enableAnalytics: true },
    'config expected only the keys projectId, metadata, themeMode, language, themeVariables, zIndex, embedded, shadowRoot, featuredWalletIds, excludeWalletIds, includeWalletIds, basic, debug, allWallets, customWallets, connectors, preferUniversalLinks, recording, features, remoteFeatures, termsUrl, privacyUrl, addresses, sale, networks, rpcBatch, analytics, walletConnect, got enableAnalytics',
  ],
  ['a key of every object', { ...least, constructor: 1 }, 'walletConnect, got constructor'],
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
    'a feature that this version lacks',
    { ...least, features: { email: true } },
    'features.email expected false, as this version lacks the feature, got true',
  ],
  [
    'a list of a feature that this version lacks',
    { ...least, features: { socials: ['x'] } },
    'features.socials expected false, as this version lacks the feature, got a list',
  ],
  ['the new name of a feature', { ...least, features: { activity: false } }, 'features expected only the keys'],
  ['a word for Send', { ...least, features: { send: 'yes' } }, 'features.send expected true or false, got "yes"'],
  ['a word for a feature', { ...least, features: { allWallets: 'yes' } }, 'features.allWallets expected true or false'],
  [
    'an unknown word in an order',
    { ...least, features: { walletFeaturesOrder: ['stake'] } },
    'features.walletFeaturesOrder[0] expected receive or send, got "stake"',
  ],
  [
    'an order of ways to connect, of which this version has one',
    { ...least, features: { connectMethodsOrder: ['wallet'] } },
    'features.connectMethodsOrder expected false, as this version lacks the feature, got a list',
  ],
  ...['onramp', 'swaps'].map((word): [string, object, string] => [
    `the word ${word} in the order of the account`,
    { ...least, features: { walletFeaturesOrder: ['send', word] } },
    `features.walletFeaturesOrder[1] expected receive or send, as this version lacks the feature, got "${word}"`,
  ]),
  [
    'another rule for features',
    { ...least, remoteFeatures: 'both' },
    'remoteFeatures expected host or service, got "both"',
  ],
  ['excluded wallets as a text', { ...least, excludeWalletIds: 'w' }, 'excludeWalletIds expected a list of at most 50'],
  ['a custom wallet without a name', { ...least, customWallets: [{ id: 'w' }] }, 'customWallets[0].name expected'],
  ['a wait for others of five seconds', { ...least, rpcBatch: { waitMs: 5000 } }, 'rpcBatch.waitMs expected'],
  ['requests of no call', { ...least, rpcBatch: { most: 0 } }, 'rpcBatch.most expected'],
  [
    'a picture that is no address',
    { ...least, customWallets: [{ id: 'w', name: 'W', image_url: 'data:image/png;base64,AA' }] },
    'customWallets[0].image_url expected',
  ],
  ['connectors as an object', { ...least, connectors: {} }, 'connectors expected a list of at most 20'],
  ['universal links as text', { ...least, preferUniversalLinks: 'yes' }, 'preferUniversalLinks expected true or false'],
])('host config: %s is left out with a sentence, the rest holds', (_, config, sentence) => {
  const told: string[] = []
  const { host } = read({ ...(config as object), includeWalletIds: ['w9'] }, told)
  expect(host.included).toEqual(['w9'])
  expect(told).toEqual([expect.stringContaining(sentence)])
  expect(told[0]).toMatch(/^createModal: .*; it is left out$/)
})

test('host config: an order of rows goes to the page, with the ids and names of the host’s own wallets', () => {
  const connectors = [{ name: 'House' }, 'no wallet' as unknown as object]
  const { ui } = read({
    ...least,
    features: { connectorTypeOrder: ['external', 'injected'] },
    customWallets: [{ id: 'own', name: 'Own' }],
    connectors,
  })
  const others = ['walletConnect', 'recent', 'featured', 'custom']
  const types = ['external', 'injected', ...others, 'recommended']
  expect(ui.order).toEqual({ types, custom: ['own'], external: ['House'] })
  const plain = read({ ...least, features: { connectorTypeOrder: ['injected'] }, connectors })
  expect(plain.ui.order).toEqual({
    types: ['injected', ...others, 'external', 'recommended'],
    custom: [],
    external: [],
  })
})

test('a connector without a name that can be read stands nowhere, and the rest of the config works', () => {
  const throwing = Object.defineProperty({}, 'name', {
    get() {
      throw new Error('no name')
    },
  })
  const connectors = [throwing, { name: 5 }, { name: 'Ring' }]
  const { ui } = read({ ...least, features: { connectorTypeOrder: ['external'] }, connectors })
  expect(ui.order?.external).toEqual(['Ring'])
})

test('host config: of several faults each has its sentence, and valid fields beside them hold', () => {
  const told: string[] = []
  const config = {
    ...least,
    zIndex: 1.5,
    shadowRoot: 'shut',
    themeVariables: { '--mai-accent': 'red', '--mai-glow': 1 },
    features: { analytics: false, email: true },
  }
  const settings = read(config, told)
  expect(told).toEqual([
    'createModal: zIndex expected a whole number from 0 to 2147483647, got 1.5; it is left out',
    'createModal: shadowRoot expected open or closed, got "shut"; it is left out',
    expect.stringContaining('got --mai-glow; it is left out'),
    expect.stringMatching(/^createModal: features\.email expected false, .*; it is left out$/),
  ])
  expect(settings.themeProperties).toEqual([['--mai-accent', 'red']])
  expect(settings.host.features).toMatchObject({ analytics: false, email: false })
})

test.each<[string, object, string]>([
  ['two words on the row', { allWallets: 'SHOW', features: { allWallets: false } }, 'the row is hidden'],
  ['an excluded wallet that is featured', { excludeWalletIds: ['w1'], featuredWalletIds: ['w1'] }, 'it is excluded'],
  ['wallets of the host where WalletConnect alone connects', { basic: true, connectors: [{}] }, 'alone are listed'],
  ['WalletConnect alone and a hidden list', { basic: true, allWallets: 'HIDE' }, 'with all wallets all the same'],
  [
    'universal links and an app’s own',
    {
      preferUniversalLinks: true,
      customWallets: [
        { id: 'c1', name: 'One', mobile_link: 'https://one.example' },
        { id: 'c2', name: 'Two', mobile_link: 'two://' },
      ],
    },
    'customWallets about c2, its mobile_link counts',
  ],
  ['two places above the page', { zIndex: 7, themeVariables: { '--mai-z-index': 8 } }, 'zIndex counts'],
])('host config: %s conflict, and one sentence says which counts', (_, more, end) => {
  const told: string[] = []
  const settings = read({ ...least, ...more }, told)
  expect(told).toEqual([expect.stringMatching(new RegExp(`^createModal: .* conflicts with .*${end}$`))])
  if ('zIndex' in more) expect(settings.themeProperties).toEqual([['--mai-z-index', '7']])
})

test('host config: a place above the page has no meaning in an element of it, and one sentence says so', () => {
  expect(configConflicts({ ...least, zIndex: 7, embedded: {} as HTMLElement })).toEqual([
    'createModal: zIndex conflicts with embedded, the modal stands in its element',
  ])
  expect(configConflicts({ ...least, embedded: {} as HTMLElement })).toEqual([])
})

test('host config: a box to tick without a document is left out, and one sentence says so', () => {
  const told: string[] = []
  read({ ...least, features: { legalCheckbox: true } }, told)
  read({ ...least, features: { legalCheckbox: true }, termsUrl: 'https://host.example/terms' }, told)
  expect(told).toEqual([
    'createModal: features.legalCheckbox expected termsUrl or privacyUrl to agree to, the box is left out',
  ])
})

test('host config: the features a host names reach the page, and WalletConnect alone is the page’s choice, too', () => {
  const settings = readModalConfig(
    { ...least, basic: true, features: { legalCheckbox: true, collapseWallets: true, allWallets: false } },
    built,
    () => undefined,
  )
  expect(settings.live).toMatchObject({ legalCheckbox: true, collapseWallets: true, allWallets: false })
  expect(settings.ui.host).toEqual({ recording: false, basic: true })
  expect(readModalConfig(least, built, () => undefined).live).toBeUndefined()
})

test.each([
  ['a node’s address', { evmRpcUrls: { 'eip155:1': 'ftp://rpc.example/secret' } }],
  ['an address where its chain belongs', { evmRpcUrls: { 'https://rpc.example/secret': 'eip155:1' } }],
  ['the verify service’s address', { verifyUrl: 'https://verify.example/?key=secret' }],
  ['a key', { verifyKey: { ...verifyKey, x: 'secret' } }],
])('host config: %s is not quoted in its refusal', (_, walletConnect) => {
  const refusal = () => read({ ...least, walletConnect })
  expect(refusal).toThrow(/^createModal: walletConnect\./)
  expect(refusal).not.toThrow('secret')
})

test('host config: a key made by crypto is on the curve, and with another x it is not', async () => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  expect(isPointOfP256(x, y)).toBe(true)
  const flipped = `${x.startsWith('A') ? 'B' : 'A'}${x.slice(1)}`
  expect(isPointOfP256(flipped, y)).toBe(false)
})

test('host config: how calls share a request reaches the core', () => {
  const { host } = readModalConfig({ ...least, rpcBatch: { waitMs: 20, most: 50 } }, built, () => expect.unreachable())
  expect(coreConfig(built, host)).toMatchObject({ rpcBatch: { waitMs: 20, most: 50 } })
})

test('host config: the host’s own wallets stand after the featured ones, its connectors stay in the page', () => {
  const own = { id: 'own', name: 'Own', mobile_link: 'own://' }
  const connector = {}
  const settings = readModalConfig(
    { ...least, featuredWalletIds: ['w1'], customWallets: [own], connectors: [connector], preferUniversalLinks: true },
    built,
    () => expect.unreachable(),
  )
  expect(settings.host).toMatchObject({ featured: ['w1', 'own'], customWallets: [own], preferUniversalLinks: true })
  expect(settings.ui.featured).toEqual(['w1', 'own'])
  expect(settings.ui.host?.connectors?.[0]).toBe(connector)
  expect(JSON.stringify(settings.host)).not.toContain('connectors')
})
