import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorFields, eventCatalogue } from '../../../src/events/analytics/catalogue.ts'
import { errorCategories } from '../../../src/events/analytics/categories.ts'
import type { Field, Fields } from '../../../src/runtime/schema/registry.ts'

const rows = Object.entries(eventCatalogue)
const guide = readFileSync(join(import.meta.dirname, '../../../docs/analytics.md'), 'utf8')

/** As the guide writes properties. */
const named = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, { optional }]) => `\`${name}${optional ? '?' : ''}\``)
    .join(', ') || '–'

test('catalogue: has every event of the analytics service', () => {
  // Reference "HTTP APIs", §5.3; INTERNAL_SDK_ERROR is a category of error reports
  const known = `
    MODAL_CREATED INITIALIZE MODAL_OPEN MODAL_CLOSE CLICK_ALL_WALLETS CLICK_WALLET_HELP CLICK_NETWORK_HELP CLICK_GET_WALLET
    CLICK_NETWORKS CLICK_CONVERT CLICK_SELECT_TOKEN_TO_SWAP CLICK_SELECT_NETWORK_TO_SWAP SELECT_WALLET CONNECT_SUCCESS
    CONNECT_ERROR DISCONNECT_SUCCESS DISCONNECT_ERROR CLICK_TRANSACTIONS ERROR_FETCH_TRANSACTIONS LOAD_MORE_TRANSACTIONS
    CLICK_SIGN_SIWX_MESSAGE CLICK_CANCEL_SIWX SIWX_AUTH_SUCCESS SIWX_AUTH_ERROR EMAIL_LOGIN_SELECTED EMAIL_SUBMITTED
    DEVICE_REGISTERED_FOR_EMAIL EMAIL_VERIFICATION_CODE_SENT EMAIL_VERIFICATION_CODE_PASS EMAIL_EDIT
    EMAIL_UPGRADE_FROM_MODAL EMAIL_VERIFICATION_CODE_FAIL SWITCH_NETWORK SELECT_BUY_CRYPTO SELECT_WHAT_IS_A_BUY
    SELECT_BUY_PROVIDER SET_PREFERRED_ACCOUNT_TYPE OPEN_SWAP OPEN_SEND INITIATE_SWAP SWAP_SUCCESS SWAP_ERROR
    SWAP_APPROVAL_ERROR SOCIAL_LOGIN_STARTED SOCIAL_LOGIN_SUCCESS SOCIAL_LOGIN_ERROR SOCIAL_LOGIN_REQUEST_USER_DATA
    SOCIAL_LOGIN_CANCELED OPEN_ENS_FLOW REGISTER_NAME_INITIATED REGISTER_NAME_SUCCESS REGISTER_NAME_ERROR SEND_INITIATED
    SEND_SUCCESS SEND_ERROR CONNECT_PROXY_ERROR SEARCH_WALLET PAY_INITIATED PAY_SUCCESS PAY_ERROR PAY_MODAL_OPEN
    PAY_EXCHANGE_SELECTED`
  expect(Object.keys(eventCatalogue).sort()).toEqual(known.trim().split(/\s+/).sort())
  expect(errorCategories).toContain('INTERNAL_SDK_ERROR')
})

test('catalogue: no property holds a pairing URI, a key or a topic', () => {
  const names = (fields: Fields): string[] =>
    Object.entries(fields).flatMap(([name, { parts, list }]) => [
      name,
      ...names(parts ?? {}),
      ...names(list?.parts ?? {}),
    ])
  const all = [errorFields, ...rows.map(([, { fields }]) => fields)].flatMap(names)
  expect(all.filter(name => /uri|key|topic|secret|token$/i.test(name))).toEqual([
    ...['SEND_INITIATED', 'SEND_SUCCESS', 'SEND_ERROR'].map(() => 'token'),
    ...['INITIATE_SWAP', 'SWAP_SUCCESS', 'SWAP_ERROR', 'SWAP_APPROVAL_ERROR'].flatMap(() => [
      'swapFromToken',
      'swapToToken',
    ]),
  ])
})

test('catalogue: every leaf is a text, a number or a flag, and has a class', () => {
  const leaves = ({ parts, list, ...leaf }: Field): Field[] => {
    if (parts) return Object.values(parts).flatMap(leaves)
    return list ? leaves(list) : [leaf]
  }
  const all = [errorFields, ...rows.map(([, { fields }]) => fields)].flatMap(fields => Object.values<Field>(fields))
  for (const { schema, cls } of all.flatMap(leaves)) {
    expect(['string', 'picklist', 'number', 'boolean']).toContain(schema.type)
    expect(cls).toBeDefined()
  }
})

test.each(rows)('docs/analytics.md has %s with its properties and place', (name, row) => {
  const place = 'at' in row ? row.at : `reserved: ${row.reserved}`
  expect(guide).toContain(`\n| \`${name}\` | ${named(row.fields)} | ${place} |\n`)
})

test('docs/analytics.md has no other event, and the fields of error reports', () => {
  const told = [...guide.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect(told).toEqual(Object.keys(eventCatalogue))
  expect(guide).toContain(named(errorFields))
  for (const category of errorCategories) expect(guide).toContain(`\`${category}\``)
})
