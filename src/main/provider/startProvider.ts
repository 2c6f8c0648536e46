/** Starts a provider over a running page. */
import { isRecord } from '../../runtime/json/isRecord.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Addresses } from '../config.ts'
import { guarded } from '../embed/host.ts'
import type { Page } from '../page/page.tsx'
import { createProvider, type Provider, type ProviderOptions } from './provider.ts'
import { thrown } from './providerError.ts'

const isChain = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const tables = ['rpcMap', 'defaultChains', 'networks'] as const
const keys: readonly string[] = [...tables, 'ping']

/**
 * @returns the provider, once the page has joined a core and the model has its sessions
 * @throws Fault `bad_input` for options that do not fit; ProviderError when this page has no core
 */
export async function startProvider(
  { started, store }: Pick<Page, 'started' | 'store'>,
  { apiUrl, projectId }: Pick<Addresses, 'apiUrl' | 'projectId'>,
  options: ProviderOptions = {},
): Promise<Provider> {
  check(options)
  const runtime = await started.catch(() => Promise.reject(thrown.notInitialized()))
  await runtime.joined().catch(() => Promise.reject(thrown.notInitialized()))
  return createProvider(
    {
      model: store.model,
      now: () => Date.now(),
      platform: { apiUrl, projectId },
      tab: runtime.tab,
      give: runtime.give,
      hear: runtime.hear,
      pairingUri: runtime.core.pairingUri,
      answerText: runtime.core.answerText,
      readChain: runtime.core.readChain,
      guarded,
    },
    options,
  )
}

/** Checks a host's options. Errors quote no address, as it may carry a key. */
function check(options: unknown): void {
  const record = requireRecord(options, 'options')
  const strange = Object.keys(record).find(key => !keys.includes(key))
  if (strange !== undefined)
    throw wrong(`options expected only the keys ${keys.join(', ')}, got ${strange.slice(0, 60)}`)
  if (!['undefined', 'boolean'].includes(typeof record.ping))
    throw wrong(`ping expected true or false, got ${String(record.ping).slice(0, 60)}`)
  for (const key of tables) {
    const table = record[key] === undefined ? {} : requireRecord(record[key], key)
    for (const [name, value] of Object.entries(table)) {
      const fits = key === 'defaultChains' ? typeof value === 'string' && isChain.test(value) : isChain.test(name)
      if (!fits)
        throw wrong(
          `${key} expected chains as in eip155:1, got ${String(key === 'defaultChains' ? value : name).slice(0, 60)}`,
        )
      if (key === 'networks') requireRecord(value, `networks.${name}`)
      if (key === 'rpcMap' && typeof value !== 'string')
        throw wrong(`rpcMap expected an address for ${name}, got ${typeof value}`)
    }
  }
}

function requireRecord(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value
  throw wrong(`${name} expected an object, got ${Array.isArray(value) ? 'a list' : String(value).slice(0, 60)}`)
}

function wrong(sentence: string): Fault {
  return new Fault('bad_input', `provider: ${sentence}`)
}
