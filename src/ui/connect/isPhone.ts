/** @returns whether this is a device held in the hand, where an app can be opened by a link; told by its pointer */
export function isPhone(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches
}
