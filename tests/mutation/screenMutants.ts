/** Planted faults of the account's screens, and of the decisions behind them: networks, wallets, transactions, and the form of Send. */
import { tested } from './mutant.ts'

const switched = tested('src/worker/deciders/networkSwitch.ts', ['tests/worker/deciders/networkSwitch.test.ts'])
const chosen = tested('src/ui/account/networks/networkChoice.ts', ['tests/ui/account/networkChoice.test.ts'])
const approved = tested('src/events/subjects/wallet/approvedNetworks.ts', ['tests/ui/account/networkChoice.test.ts'])
const severalWallets = ['tests/worker/deciders/severalWallets.test.ts']
const connection = tested('src/worker/deciders/connection.ts', severalWallets)
const connectionFold = tested('src/events/subjects/wallet/connectionFold.ts', severalWallets)
const wallets = tested('src/ui/account/wallets/ProfileWallets.tsx', ['tests/ui/account/profileWallets.test.tsx'])
const history = tested('src/ui/account/activity/history.ts', ['tests/ui/account/history.test.ts'])
const activity = tested('src/ui/account/activity/activity.ts', ['tests/ui/account/activity.test.ts'])
const transactions = tested('src/ui/account/activity/Activity.tsx', ['tests/ui/account/transactions.test.tsx'])
const sendable = tested('src/ui/account/send/sendable.ts', ['tests/ui/account/send.test.tsx'])
const told = tested('src/worker/deciders/analytics.ts', ['tests/worker/deciders/analytics.test.ts'])

export const screenMutants = [
  switched(
    'a switch leaves a payment behind',
    "if (moneyUnderWay(ctx.model)) return ['busy', 'switching expected no payment to be under way, one is']\n",
    '',
  ),
  switched('a switch begins beside another', "if (onWay) return ['busy'", "if (onWay?.about === '') return ['busy'"),
  switched(
    'a log that nothing keeps is left',
    "if (ctx.model.core.storage !== 'durable')",
    "if (ctx.model.core.storage === 'durable' && ctx.at < 0)",
  ),
  switched(
    'a wallet goes to a network that it did not approve',
    'session && !approves(ctx, session, caip2)',
    "session && caip2 === ''",
  ),
  switched('the core leaves before the switch is on disk', "about: caip2, after: 'stored' }", 'about: caip2 }'),
  switched('the way home names a chain', '...(!isHome && { caip2 })', 'caip2'),
  switched(
    'a connection that ended there stays',
    '!connections.some(one => isSame(one, made))',
    'connections.length > 99',
  ),
  switched(
    'the wallet that spoke there speaks no longer',
    "if (chosen !== undefined && chosen !== newest) ctx.fact('connection.activated', { connectionId: chosen })",
    '',
  ),
  switched('a former id leads nowhere', 'const caip2 = currentId(asked)', 'const caip2 = asked'),
  chosen(
    'a network without approval can be chosen',
    'isDisabled: approved !== undefined && ',
    'isDisabled: approved === undefined && ',
  ),
  chosen('networks stand in the order of the page, not of the approval', 'a === b ? 0 : a - b', 'a === b ? 0 : 0'),
  chosen('mainnet is a test network', '?.test ?? true', '?.caip2 !== undefined'),
  approved('a node of another chain is supported', "if (network.phase === 'mismatched') return 'unsupported'\n", ''),
  approved(
    'an approval under a former id counts for nothing',
    'idsOf(caip2).some(chain => approved.includes(chain))',
    'approved.includes(caip2)',
  ),
  connection(
    'a switch of wallets reads no balance',
    "ctx.fact('connection.activated', { connectionId })\n    welcome(ctx, made.accounts[0])",
    "ctx.fact('connection.activated', { connectionId })",
  ),
  connection(
    'a missing wallet is not reached by a switch to it',
    "    retry(ctx, connectionId)\n  },\n  'connection.recall'",
    "  },\n  'connection.recall'",
  ),
  connection('a stranger’s account is chosen', '!accounts?.includes(account) || ', ''),
  connectionFold(
    'a wallet stands twice among those of late',
    '  dropEnded(view, wallet.walletId)\n  view.ended',
    '  view.ended',
  ),
  connectionFold(
    'a forgotten wallet stays',
    "case 'connection.forgotten':\n      dropEnded(view, fact.data.connectionId)",
    "case 'connection.forgotten':",
  ),
  wallets(
    'the active wallet stands anywhere',
    'Number(b.connectionId === active) - Number(a.connectionId === active)',
    '0',
  ),
  wallets('a wallet that connects again is told as deleted', 'now.made === then.made && (now', '(now'),
  wallets(
    'one of two wallets of a name is asked',
    'if (!only || others.length > 0 || mustAgree)',
    'if (!only || mustAgree)',
  ),
  wallets('a wallet connected lately is asked before the tick', ' || mustAgree)', ')'),
  wallets(
    'only one wallet is left by Disconnect all',
    'useLeaving(...Object.keys(made))',
    'useLeaving(...Object.keys(made).slice(1))',
  ),
  history(
    'transactions of another network are shown',
    '(chain === null || chain === chainId)',
    'chain !== chainId.slice(1)',
  ),
  history('spam is shown', '!isSpam && (chain', '(chain'),
  history(
    'a page that failed is asked for at once again',
    'isLoading || hasFailed ? undefined',
    'isLoading ? undefined',
  ),
  history('a page is asked for while another is read', 'isCut || isLoading || ', 'isCut || '),
  history(
    'a transaction of two pages stands twice',
    'found.set(`${one.id} ${one.hash}`, one)',
    'found.set(`${pages} ${one.id} ${one.hash}`, one)',
  ),
  history('a list that is cut asks for more', 'pages === 0 || isCut || ', 'pages === 0 || '),
  activity('an outgoing amount has no sign', "send: '−'", "sent: '−'"),
  activity(
    'of a swap the token that went stands first',
    '[second, first].map(pictureOf)',
    '[first, second].map(pictureOf)',
  ),
  activity(
    'two NFTs are one item',
    'transfers.length === 2 && transfers.every(({ nft }) => !nft)',
    'transfers.length === 2',
  ),
  transactions(
    'a failed reading that no press repeats',
    'data-testid="activity-again" onClick={onAgain}',
    'data-testid="activity-again"',
  ),
  transactions(
    'an offline device reads for ever',
    'if (!online && history.isUnread)',
    'if (online && history.isUnread)',
  ),
  sendable(
    'more than there is can be sent',
    'BigInt(read.units) > BigInt(most)',
    'BigInt(read.units) > BigInt(most) * 2n',
  ),
  sendable(
    'an amount of nothing is reviewed',
    "if (!read.ok || read.units === '0') return 'addAmount'",
    "if (!read.ok) return 'addAmount'",
  ),
  sendable(
    'the sender is a recipient',
    'isSolanaAddress(recipient) && recipient !== account',
    'isSolanaAddress(recipient)',
  ),
  sendable(
    'a token that is gone is offered',
    "filter(({ amount }) => amount !== '0')",
    "filter(({ amount }) => amount !== '')",
  ),
  told(
    'each failed reading of a row is told',
    "if (!entry || entry.failure || failure.code === 'core_lost') return",
    "if (!entry || failure.code === 'core_lost') return",
  ),
  told('the first page of a history counts as more', ' && ask.cursor !== undefined) toldHistory', ') toldHistory'),
]
