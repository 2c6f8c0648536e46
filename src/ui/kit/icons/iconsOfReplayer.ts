/** Icons of the replayer alone; grid and stroke as in `icons.ts`. `play` is filled. */
export const file =
  'M11.5 2.75h-5A1.75 1.75 0 0 0 4.75 4.5v11c0 .97.78 1.75 1.75 1.75h7a1.75 1.75 0 0 0 1.75-1.75v-9zM11.5 2.75V6.5h3.75'
export const find = 'M14.25 9a5.25 5.25 0 1 1-10.5 0a5.25 5.25 0 0 1 10.5 0zM13 13l3.75 3.75'
export const first = 'M5 4.5v11M15 4.75L8.5 10l6.5 5.25z'
export const last = 'M15 4.5v11M5 4.75L11.5 10 5 15.25z'
export const next = 'M6.5 4.75L13 10l-6.5 5.25z'
export const prev = 'M13.5 4.75L7 10l6.5 5.25z'
export const play = 'M6.5 4.25v11.5l9-5.75z'
export const receive =
  'M10 12.5v-9M6.5 7L10 3.5 13.5 7M3.5 12.5v2.25c0 .97.78 1.75 1.75 1.75h9.5c.97 0 1.75-.78 1.75-1.75V12.5'
export const pausePlayback = 'M6 4.5h2.75v11H6zM11.25 4.5H14v11h-2.75z'
