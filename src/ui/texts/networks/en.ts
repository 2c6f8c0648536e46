import type { Area } from '../language.tsx'

const english = {
  search: 'Search networks',
  test: 'Test',
  chooseFrom: (network: string) => `${network}, choose another network`,
  unsupportedName: (network: string) => `${network} cannot be used here, switch the network`,
  unknown: 'this network',
  noOther: 'No other network',
  noOtherNote: 'This page works on one network only.',
  noneNamed: (text: string) => `No network named “${text}”`,
  noneNote: 'Check the spelling.',
  offline: 'You are offline. A network is read once you are back online.',
  notApproved: (wallet: string) => `Not approved by ${wallet}`,
  mayLack: 'Your wallet may not offer every network.',
  switchingTo: (network: string) => `Switching to ${network}`,
  nothingSigned: 'This takes a moment. Nothing is signed or sent.',
  takesLong: 'This takes longer than usual.',
  stillOn: (network: string) => `You are still on ${network}. Nothing changed.`,
  declined: 'Switch declined',
  walletLacks: (wallet: string, network: string) => `${wallet} did not approve ${network}.`,
  busy: 'A request is on its way',
  busyNote: 'Switch once it has come through.',
  noStorage: 'This browser stores nothing',
  noStorageNote: 'A switch needs storage.',
  notFound: 'Network not found',
  notFoundNote: 'This page does not offer it.',
  failed: 'Could not switch',
  notWithWallet: (wallet: string, network: string) =>
    `${wallet} did not approve ${network}. Choose a network that it did, or disconnect it.`,
  notServed: (network: string) => `${network} cannot be used on this page now. Choose another network.`,
  points: {
    ledger: [
      'It keeps the record',
      'A network is many computers that keep one record of who owns what. Your tokens are entries in it.',
    ],
    apart: [
      'Each one stands alone',
      'Tokens on one network are not on another. Test networks are for trying things out: their tokens are worth nothing.',
    ],
  } satisfies { [point: string]: [string, string] },
  learnMore: 'Learn more',
}

export type NetworksTexts = typeof english
/** Texts of the networks to choose from, and of a switch. */
export const networksArea: Area<NetworksTexts> = { name: 'networks', english }
