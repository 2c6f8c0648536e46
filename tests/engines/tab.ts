/** A browser tab of any engine: a visitor's few actions, and a look at the page. */
export type Tab = {
  open(url: string): Promise<void>
  reload(): Promise<void>
  /** Runs a function in the page. It travels as text, without its closure. */
  run<Args extends unknown[], T>(work: (...args: Args) => T, ...args: Args): Promise<T>
  click(css: string): Promise<void>
  /** Types into an empty field, key by key. */
  type(css: string, text: string): Promise<void>
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
const lookMs = 100

/**
 * Looks at the page until a function run in it returns a value.
 * @throws Error that names the awaited event, with the page's last value or error
 */
export async function until<Args extends unknown[], T>(
  tab: Tab,
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

/** Waits for an element and clicks it. */
export async function press(tab: Tab, css: string): Promise<void> {
  await until(tab, css, one => document.querySelector(one)?.matches(':not(:disabled)'), css)
  await tab.click(css)
}
