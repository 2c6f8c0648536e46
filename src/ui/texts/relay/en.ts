import type { Area } from '../language.tsx'

const english = {
  openWallet: 'Open wallet',
  newCodeIn: (time: string) => `New code in ${time}`,
  makingCode: 'Making a new code',
  codeNotLoaded: 'The code did not load. Copy the link instead.',
  tooLong: 'This is too long for a QR code. Copy it instead.',
  connecting: 'Setting up the connection for phone wallets.',
  refused: 'Phone wallets cannot connect right now.',
  checkClock: 'Check that the clock of this device is right.',
  useInstalled: 'Use an installed wallet.',
  offline: 'You are offline. A wallet can answer once you are back online.',
  away: 'The connection for phone wallets is down. This page keeps trying.',
  busy: 'The connection for phone wallets is busy. This page tries again by itself.',
  moving: 'The connection for phone wallets moves to another server. This page keeps trying.',
  partMissing: 'A part of this page could not be loaded. This page keeps trying.',
  walletAway: (wallet: string) =>
    `${wallet} cannot be reached: a part of this page could not be loaded. You can look, but not pay with it.`,
  walletOffline: (wallet: string) =>
    `You are offline, so ${wallet} cannot be reached. You can look, but not pay with it.`,
}

export type RelayTexts = typeof english
/** Texts about wallets on other devices and the way to them. */
export const relayArea: Area<RelayTexts> = { name: 'relay', english }
