/** What happens to this page, as the browser tells it. */
export function watchPage(heard: {
  visible(visible: boolean): void
  online(online: boolean): void
  /** It was frozen, or put away whole, and goes on. */
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
