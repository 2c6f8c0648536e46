type Heard = {
  visible(visible: boolean): void
  online(online: boolean): void
  /** The page was frozen, or came back from the back/forward cache. */
  resumed(): void
}

/**
 * Listens to the browser's page lifecycle: visibility, network, and the return from a freeze.
 *
 * @param signal ends it
 */
export function watchPage(heard: Heard, signal: AbortSignal): void {
  document.addEventListener('visibilitychange', () => heard.visible(document.visibilityState === 'visible'), { signal })
  window.addEventListener('online', () => heard.online(true), { signal })
  window.addEventListener('offline', () => heard.online(false), { signal })
  window.addEventListener(
    'pageshow',
    event => {
      if (event.persisted) heard.resumed()
    },
    { signal },
  )
  document.addEventListener('resume', () => heard.resumed(), { signal })
}
