import { describe, expect, test } from 'vitest'
import { wishedScreen } from '../../../src/main/embed/wishedScreen.ts'

const wallet = { walletId: 'w1', name: 'Lantern' }

describe('a screen that a host asks for', () => {
  test.each([
    ['by its name', 'AllWallets', { name: 'AllWallets' }],
    ['in an object', { view: 'GetWallet' }, { name: 'GetWallet' }],
    ['of an unsupported network', 'UnsupportedChain', { name: 'UnsupportedChain' }],
    ['with its data', { view: 'WalletConnect', data: { wallet } }, { name: 'WalletConnect', wallet }],
    ['without the data it may have', { view: 'WalletConnect', namespace: 'solana' }, { name: 'WalletConnect' }],
    ['with a namespace alone', { namespace: 'solana' }, undefined],
    ['with nothing', {}, undefined],
  ])('%s is that one', (_, asked, screen) => {
    expect(wishedScreen(asked)).toEqual(screen)
  })

  test.each([
    ['no view of the modal', 'Nowhere', /^open: view expected Connect or .*, got "Nowhere"$/],
    ['a view of the product’s own', 'ConnectingInstalled', /^open: view expected Connect or /],
    ['a name of every object', 'constructor', /^open: view expected Connect or /],
    ['no text', 7, /^open: view expected Connect or .*, got 7$/],
    ['nothing at all', null, /^open: config expected an object, got null$/],
    ['another key', { views: 'Connect' }, /^open: config expected only the keys view, namespace, data, got views$/],
    ['data it has not', { view: 'Account', data: { tab: 1 } }, /^open: data expected only the keys/],
    ['data without a view', { data: { wallet } }, /^open: data expected only the keys/],
    ['data that is a list', { view: 'Account', data: [] }, /^open: data expected an object, got a list$/],
    [
      'a wallet without a name',
      { view: 'WalletConnect', data: { wallet: { walletId: 'w' } } },
      /wallet\.name expected a value/,
    ],
    [
      'a name of 10 kB',
      { view: 'WalletConnect', data: { wallet: { ...wallet, name: 'n'.repeat(10_240) } } },
      /1 to 200 char/,
    ],
    ['another family of chains', { namespace: 'eip155' }, /^open: namespace expected solana, got "eip155"$/],
  ])('that is %s is refused in one sentence', (_, asked, sentence) => {
    expect(() => wishedScreen(asked)).toThrow(sentence)
    expect(() => wishedScreen(asked)).toThrow(expect.objectContaining({ code: 'bad_input' }))
  })
})
