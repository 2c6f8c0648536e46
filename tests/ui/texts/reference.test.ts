/** Texts by which other modals name their errors: each is in the code, or the documentation says what happens in its place. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesIn } from '../../../src/main/replay/filesIn.ts'

const root = join(import.meta.dirname, '../../..')
const texts = `APKT001, Network Not Found, Invalid App Configuration, APKT003 to APKT005, Session Expired, Invalid Project ID,
Project ID Missing, Server Error, Rate Limited, Unauthorized: origin not allowed, JWT Token is not yet valid,
Unauthorized: invalid key, HTTP status code, Error signing message, Token Balance Unavailable, Authenticating...,
A problem occurred while trying initialize authentication, Failed to fetch transactions, SIWX is not enabled,
No ActiveCaipAddress found, No ActiveCaipNetwork or client found, No ConnectionController client found,
Network not supported for Gas Price, Network not supported for Swaps, An amount and receiver address are required,
A token is required, Unsupported chain, Amount must be greater than 0, Sender does not have a token account for this mint,
Insufficient token balance, Failed to create SPL token transaction, Invalid chainId, Network not found,
Address or auth connector not found, Chain is not supported, The connector does not support any of the requested chains,
WalletConnectConnector not found, Multi-Wallet Not Enabled, Loading chunk failed, An error occurred, Request was aborted,
Unable to load email login dependency, iframe_load_failed, iframe_request_timeout, Modal closed, Popup closed,
Failed to connect, Failed to initiate social connection, Failed to connect to farcaster, Connection rejected,
No auth connector found, Not connected to email or social, No connector found for connection, Invalid connection status,
Failed to disconnect, Failed to connect to the wallet, Wallet not connected, Provider not found, Connection is not set,
The wallet does not support the, The method is not supported by the wallet, Unknown Network, 0.00 SOL, Error resolving name,
Error fetching name suggestions, Error fetching names for address, Error registering name, mocked-quote-id,
Requested RPC call is not allowed, Action not allowed, Please try again after N seconds, Untrusted Origin,
Transaction started, Invalid chain id, Failed to switch wallet, Wallet deleted, Account switched, Wallet switched`

test('texts of the reference: each is in the code, or in the documentation with what happens in its place', () => {
  const files = filesIn(join(root, 'src')).filter(name => /\.tsx?$/.test(name))
  const said = [...files, join(root, 'docs/screens.md'), join(root, 'docs/host-api.md')]
    .map(name => readFileSync(name, 'utf8'))
    .join('\n')
    .toLowerCase()
  expect(texts.split(/,\s+/).filter(text => !said.includes(text.toLowerCase()))).toEqual([])
})
