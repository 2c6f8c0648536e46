/** A host page with the embed, and its scripts' calls to the modal. */
import type { Page } from '@playwright/test'
import type { HostModal } from '../../src/main/embed/hostModal.ts'
import type { ModalConfig } from '../../src/main/embed/config/hostConfig.ts'
import type { SignInRequest } from '../../src/main/signIn/signInAttempt.ts'

declare global {
  interface Window {
    /** The modal of a host page. */
    modal: HostModal
    /** Outcomes of sign-ins, in order: the accounts, or the failure's code. */
    signIns: string[]
    /** wallets of the host's own, where a journey has some */
    hostConnectors?: object[]
  }
}

/** Chain of the account, and permissions of a session. */
export const asked: SignInRequest = {
  chains: ['eip155:1'],
  nonce: 'a-nonce-of-the-host',
  statement: 'Sign in',
  methods: ['personal_sign'],
}

/** Opens a host page whose only button starts a sign-in. */
export async function openHost(
  page: Page,
  siteUrl: string,
  {
    walletConnect,
    networks,
    request = asked,
  }: Pick<ModalConfig, 'walletConnect' | 'networks'> & { request?: SignInRequest } = {},
): Promise<void> {
  await page.route(`${siteUrl}host.html`, route =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Host</title><button id="sign-in">Sign in</button>',
    }),
  )
  // A page whose file no server sent is of no network, and would have to ask for the way to the local services
  await page.context().grantPermissions(['local-network-access'])
  await page.goto(`${siteUrl}host.html`)
  await page.evaluate(
    async ([settings, choice, wanted]) => {
      const embed = '/embed/embed.js'
      const { createModal } = (await import(embed)) as typeof import('../../src/main/embed.ts')
      const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
      const modal = createModal({
        projectId: '00000000000000000000000000000001',
        metadata,
        recording: 'SHOW',
        ...(settings && { walletConnect: settings }),
        ...(choice && { networks: choice }),
      })
      Object.assign(window, { modal, signIns: [] })
      const signIn = () =>
        modal.signIn(wanted).then(
          ({ accounts }) => window.signIns.push(accounts.join()),
          ({ code }: { code: string }) => window.signIns.push(code),
        )
      document.querySelector<HTMLElement>('#sign-in')?.addEventListener('click', () => void signIn())
    },
    [walletConnect, networks, request] as const,
  )
}

export const signIns = (page: Page): Promise<string[]> => page.evaluate(() => window.signIns)

type HostChoices = Pick<
  ModalConfig,
  'projectId' | 'basic' | 'termsUrl' | 'privacyUrl' | 'customWallets' | 'addresses'
> & {
  features?: { legalCheckbox?: boolean; collapseWallets?: boolean }
}

/** Opens a host page whose modal has this config, and the connectors in `window.hostConnectors`. */
export async function openModalHost(page: Page, siteUrl: string, config: HostChoices): Promise<void> {
  await page.route(`${siteUrl}modal-host.html`, route =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><html lang="en"><title>Host</title><main><h1>Host</h1></main>',
    }),
  )
  // A page whose file no server sent is of no network, and would have to ask for the way to the local services
  await page.context().grantPermissions(['local-network-access'])
  await page.goto(`${siteUrl}modal-host.html`)
  await page.evaluate(async more => {
    const embed = '/embed/embed.js'
    const { createModal } = (await import(embed)) as typeof import('../../src/main/embed.ts')
    const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
    const modal = createModal({
      metadata,
      recording: 'SHOW',
      ...more,
      ...(window.hostConnectors && { connectors: window.hostConnectors }),
    })
    Object.assign(window, { modal })
    void modal.open()
  }, config)
}
