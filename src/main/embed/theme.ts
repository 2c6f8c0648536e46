/** The theme a host gives the modal: custom properties and the mode. */
import { type ConfigCheck, inNameOf, known, oneOf, style } from './config/configChecks.ts'

/** Custom properties a host may set; all other design tokens derive from them. */
const themeVariableNames = [
  '--mai-accent',
  '--mai-background',
  '--mai-color-mix',
  '--mai-color-mix-strength',
  '--mai-font-family',
  '--mai-font-size-master',
  '--mai-border-radius-master',
  '--mai-z-index',
] as const

export type ThemeMode = 'light' | 'dark' | 'system'
export type ThemeVariables = Partial<Record<(typeof themeVariableNames)[number], string | number>>

/** Checks of each variable. */
export const themeVariableChecks: Record<string, ConfigCheck> = Object.fromEntries(
  themeVariableNames.map(name => [name, style]),
)

/** @returns the properties to set on the modal's element; the z-index counts before the variable of that name */
export function themeProperties(variables: ThemeVariables = {}, zIndex?: number): [string, string][] {
  const set = Object.entries({ ...variables, ...(zIndex !== undefined && { '--mai-z-index': zIndex }) })
  return set.map(([name, value]) => [
    name,
    name === '--mai-color-mix-strength' && typeof value === 'number' ? `${value}%` : String(value),
  ])
}

/** Changes the mode of an element that carries the theme. @throws Fault `bad_input` for another word */
export function wearMode(element: HTMLElement, mode: ThemeMode): void {
  inNameOf('setThemeMode', () => oneOf('light', 'dark', 'system')(mode, 'themeMode'))
  if (mode === 'system') delete element.dataset.theme
  else element.dataset.theme = mode
}

/** Sets variables on an element; those that are not named keep their values. @throws Fault `bad_input` for an invalid one */
export function wearVariables(element: HTMLElement, variables: ThemeVariables): void {
  inNameOf('setThemeVariables', () => known(variables, 'themeVariables', themeVariableChecks))
  wearProperties(element, themeProperties(variables))
}

/** Sets checked custom properties. */
export function wearProperties(element: HTMLElement, properties: readonly [string, string][]): void {
  for (const [name, value] of properties) element.style.setProperty(name, value)
}
