/** The icons only the modal shows; same grid and stroke as `icons.ts`, apart so that they stay in its chunk. */
export const back = 'M12 4.5L6.5 10l5.5 5.5'
export const help =
  'M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 0 1 14.5 0zM7.9 8a2.2 2.2 0 1 1 3.2 2c-.7.35-1.1.8-1.1 1.5M10 14v.01'
export const search = 'M14.25 9a5.25 5.25 0 1 1-10.5 0a5.25 5.25 0 0 1 10.5 0zM13 13l3.75 3.75'
export const grid =
  'M4.75 3.5h2.5a1.25 1.25 0 0 1 1.25 1.25v2.5a1.25 1.25 0 0 1-1.25 1.25h-2.5a1.25 1.25 0 0 1-1.25-1.25v-2.5a1.25 1.25 0 0 1 1.25-1.25zm8 0h2.5a1.25 1.25 0 0 1 1.25 1.25v2.5a1.25 1.25 0 0 1-1.25 1.25h-2.5a1.25 1.25 0 0 1-1.25-1.25v-2.5a1.25 1.25 0 0 1 1.25-1.25zm-8 8h2.5a1.25 1.25 0 0 1 1.25 1.25v2.5a1.25 1.25 0 0 1-1.25 1.25h-2.5a1.25 1.25 0 0 1-1.25-1.25v-2.5a1.25 1.25 0 0 1 1.25-1.25zm8 0h2.5a1.25 1.25 0 0 1 1.25 1.25v2.5a1.25 1.25 0 0 1-1.25 1.25h-2.5a1.25 1.25 0 0 1-1.25-1.25v-2.5a1.25 1.25 0 0 1 1.25-1.25z'
export const receive = 'M14.5 5.5l-9 9M12.5 14.5h-7v-7'
export const activity = 'M3 10h3l2.25-5 3.5 10L14 10h3'
export const power = 'M12.5 4H15a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 15 16h-2.5M8 6.5L4.5 10 8 13.5M4.75 10H12'
export const flip = 'M10 4v12M10 16l-4.5-4.5M10 16l4.5-4.5'
export const lock =
  'M6.25 8.75h7.5a2 2 0 0 1 2 2v3.75a2 2 0 0 1-2 2h-7.5a2 2 0 0 1-2-2v-3.75a2 2 0 0 1 2-2zM6.75 8.5V6.5a3.25 3.25 0 0 1 6.5 0v2'
export const pen = 'M4 16l.75-3.25L13 4.5a1.77 1.77 0 0 1 2.5 2.5l-8.25 8.25z'
/** The bridge of WalletConnect, in strokes of ours. */
export const bridge = 'M4 8.5c3.3-3.2 8.7-3.2 12 0M2.5 11.5l3.4 3.2 4.1-4 4.1 4 3.4-3.2'
