/** Kind of device. A phone's page is as wide as a phone's, its finger is coarse where the driver has one. */
export type Device = 'desktop' | 'phone'
/** Sizes of the page, px. */
export const sizes: Record<Device, { width: number; height: number }> = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
}

/** A browser tab of any engine: a visitor's few actions, and a look at the page. */
export type Tab = {
  open(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** Saves a picture of the page as it is seen. */
  picture(path: string): Promise<void>
  /** Runs a function in the page. It travels as text, without its closure. */
  run<Args extends unknown[], T>(work: (...args: Args) => T, ...args: Args): Promise<T>
  /** Clicks, or taps on a phone, an element of the document or of an open shadow root in it. */
  click(css: string): Promise<void>
  /** Types into an empty field, key by key. */
  type(css: string, text: string): Promise<void>
  /** Gives the page another size; it keeps its pointer. */
  resize(device: Device): Promise<void>
  /** Number of the browser's windows and tabs. */
  windows(): Promise<number>
  /** Opens a second tab of the same profile and makes it the one in use. */
  another(): Promise<void>
  /** Closes all tabs but the one in use. */
  closeOthers(): Promise<void>
  /** Ends the browser and removes its profile. */
  close(): Promise<void>
}

/** Longest time of a step on a busy machine, ms. */
const patienceMs = 60_000
/** Pause between two looks at the page, ms. */
const lookMs = 200

/**
 * Looks at the page until a function run in it returns a value.
 * @throws Error that names the awaited event, with the page's last value or error
 */
export async function until<Args extends unknown[], T>(
  tab: Pick<Tab, 'run'>,
  what: string,
  look: (...args: Args) => T,
  ...args: Args
): Promise<NonNullable<T>> {
  let seen: unknown
  for (let looks = 0; looks < patienceMs / lookMs; looks += 1) {
    seen = await tab.run(look, ...args).catch((fault: unknown) => fault)
    if (seen && !(seen instanceof Error)) return seen as NonNullable<T>
    await new Promise(resolve => setTimeout(resolve, lookMs))
  }
  throw new Error(`expected ${what} within ${patienceMs / 1000} s, got ${String(seen)}`)
}

/** @returns the selector of a part of the page */
export const on = (testid: string) => `[data-testid="${testid}"]`

/** Waits for an element of the document or of an open shadow root in it, and clicks it. */
export async function press(tab: Pick<Tab, 'run' | 'click'>, css: string): Promise<void> {
  await until(tab, css, isEnabled, css)
  await tab.click(css)
}
function isEnabled(css: string): boolean {
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  return roots.some(root => root.querySelector(css)?.matches(':not(:disabled)'))
}
