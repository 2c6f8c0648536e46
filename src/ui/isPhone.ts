/** @returns whether this is a handheld device, where a link can open an app; judged by its pointer */
export function isPhone(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches
}
