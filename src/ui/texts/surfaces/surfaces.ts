/** The surfaces whose texts a part of the interface needs: each part adds its own with `addSurface`. */

/** Texts of the presale page, the modal apart. */
export const pageTexts = () => import('./page.ts')

/** Texts of the modal, in our own page and in a host's. */
export const modalTexts = () => import('./modal.ts')
