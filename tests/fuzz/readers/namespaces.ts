/** Namespaces of proposals and sessions: checked, compared and merged. */
import type { Fault } from '../../../src/runtime/failure.ts'
import {
  conformanceProblem,
  proposalProblem,
  sessionProblem,
} from '../../../src/worker/walletconnect/session/namespaceChecks.ts'
import {
  mergeNamespaces,
  type ProposedNamespaces,
  type SessionNamespaces,
} from '../../../src/worker/walletconnect/session/namespaces.ts'
import { corpus } from '../corpus.ts'
import { conforms, type Given, hasBlanks, plainOf, proposalCode, sessionCode } from '../grammars/namespaces.ts'
import { mergeOf } from '../grammars/merging.ts'
import { changedJson } from '../hostileJson.ts'
import { isTricky, treeOf } from '../jsonTree.ts'
import type { Random } from '../random.ts'
import { type Judged, type Reader, refused, taken, wrong } from '../reader.ts'

const chains = ['eip155:1', 'eip155:137', 'solana:5eyk', 'solana:EtWT', 'cosmos:hub']
const methods = ['personal_sign', 'solana_signMessage', 'eth_sendTransaction']
const events = ['chainChanged', 'accountsChanged']

const some = <T>(random: Random, list: readonly T[]) => list.filter(() => random.oneIn(2))

function proposed(random: Random): Record<string, unknown> {
  const keys = some(random, ['eip155', 'solana', 'cosmos', 'eip155:1', 'eip155:137', 'solana:EtWT'])
  return Object.fromEntries(
    keys.map(key => {
      const own = chains.filter(chain => chain.startsWith(`${key.split(':')[0]}:`))
      const part = { methods: some(random, methods), events: some(random, events) }
      return [key, key.includes(':') && random.oneIn(2) ? part : { chains: some(random, own), ...part }]
    }),
  )
}

function given(random: Random): Record<string, unknown> {
  const keys = some(random, ['eip155', 'solana', 'cosmos', 'eip155:1'])
  return Object.fromEntries(
    keys.map(key => {
      const own = chains.filter(chain => chain.startsWith(key))
      const accounts = some(
        random,
        own.flatMap(chain => [`${chain}:0xab`, `${chain}:0xcd`]),
      )
      return [key, { accounts, methods: some(random, methods), events: some(random, events) }]
    }),
  )
}

/** An input is three lines: required, optional, and a session's. */
export const namespaces: Reader = {
  name: 'namespaces',
  share: 100,
  make(random) {
    const lines = [proposed(random), proposed(random), given(random)].map(one => JSON.stringify(one))
    if (random.oneIn(2)) return lines.join('\n')
    const at = random.below(3)
    lines[at] = changedJson(random, random.oneIn(2) ? (lines[at] ?? '') : random.pick(corpus.namespaces)).replaceAll(
      '\n',
      ' ',
    )
    return lines.join('\n')
  },
  judge(input, read) {
    const trees = input.split('\n').map(treeOf)
    if (trees.length !== 3 || trees.some(tree => !tree || isTricky(tree))) return refused
    const [required, optional, session] = trees.map(tree => tree && plainOf(tree))
    for (const one of [required, optional]) {
      const found = compared(
        proposalCode(one),
        read(() => proposalProblem(one, 'connect()', 'requiredNamespaces')),
        one,
      )
      if (found) return found
    }
    const found = compared(
      sessionCode(session),
      read(() => sessionProblem(session, 'update()')),
      session,
    )
    if (found) return found
    if (proposalCode(required) !== 0) return refused
    if (proposalCode(optional) === 0) {
      const merged = read(() => mergeNamespaces(required as ProposedNamespaces, optional as ProposedNamespaces))
      if ('fault' in merged) return wrong(true, 'namespaces in the grammar were not merged')
      const differs = mergeOf(required as never, optional as never).differs(merged.value)
      if (differs !== undefined) return wrong(true, `merged namespaces ${differs}`)
    }
    if (sessionCode(session) !== 0) return refused
    const problem = read(() =>
      conformanceProblem(required as ProposedNamespaces, session as SessionNamespaces, 'approve()'),
    )
    const code = codeOf(problem)
    if (conforms(required as never, session as Given) !== (code === 0))
      return wrong(true, `a session ${code ? 'that conforms was refused' : 'that does not conform was taken'}`)
    return code !== 0 && code !== 9 ? wrong(true, 'a session is refused with another code than 9') : taken
  },
}

type Checked = { value: { code: number } | undefined } | { fault: Fault }

/** @returns the problem's code, 0 without one; a fault has none */
function codeOf(checked: Checked): number {
  return 'fault' in checked ? -1 : (checked.value?.code ?? 0)
}

function compared(code: number, checked: Checked, given: unknown): Judged | undefined {
  const got = codeOf(checked)
  if (got === code || (got > 0 && hasBlanks(given))) return undefined
  if (code === 0) return wrong(false, `namespaces in the grammar were refused with ${got}`)
  return wrong(got === 0, got === 0 ? 'malformed namespaces were taken' : `namespaces got ${got}, expected ${code}`)
}
