/** The device, for links that differ by its system or by Telegram, which shows pages in a window of its own. */
export type Handheld = { system: 'ios' | 'android' | 'other'; isTelegram: boolean }

/** @returns the device this page is on; a tablet of Apple calls itself a computer, but has a touch screen */
export function handheld(): Handheld {
  const { userAgent, maxTouchPoints } = navigator
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return {
    system: /android/i.test(userAgent) ? 'android' : isApple ? 'ios' : 'other',
    isTelegram: 'TelegramWebviewProxy' in window || 'TelegramWebview' in window,
  }
}
