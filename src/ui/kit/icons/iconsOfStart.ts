/** Icons of the first paint; grid and stroke as in `icons.ts`. */
export const checkIcon = 'M4.5 10.5l3.75 3.75L15.5 6.5'
export const cross = 'M6 6l8 8M14 6l-8 8'
export const sun =
  'M13.25 10a3.25 3.25 0 1 1-6.5 0a3.25 3.25 0 0 1 6.5 0zM10 2.5v1.75M10 15.75v1.75M2.5 10h1.75M15.75 10h1.75M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2'
