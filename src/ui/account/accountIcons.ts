/** Icons of the account's screens; grid and stroke as in `icons.ts`, apart so that they load with them. */
export const receiveIcon = 'M14 6L6 14M6 7.5V14h6.5'
export const sendIcon = 'M6 14L14 6M7.5 6H14v6.5'
export const activityIcon = 'M3 10h3.25L8.5 4.5l3.25 11L14 10h3'
