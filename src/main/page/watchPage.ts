/** Listens to the browser's page lifecycle: visibility, network, and the return from a freeze. */
export function watchPage(heard: {
  visible(visible: boolean): void
  online(online: boolean): void
  /** The page was frozen, or came back from the back/forward cache. */
  resumed(): void
}): void {
  document.addEventListener('visibilitychange', () => heard.visible(document.visibilityState === 'visible'))
  window.addEventListener('online', () => heard.online(true))
  window.addEventListener('offline', () => heard.online(false))
  window.addEventListener('pageshow', event => {
    if (event.persisted) heard.resumed()
  })
  document.addEventListener('resume', () => heard.resumed())
}
