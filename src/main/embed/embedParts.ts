import type { Listed } from '../../worker/drivers/parts.ts'

const text: string = import.meta.env.VITE_EMBED_PARTS

/** The embed's own list of its files; a page has an import map instead. */
export const embedParts: Listed | undefined = text ? (JSON.parse(text) as Listed) : undefined
