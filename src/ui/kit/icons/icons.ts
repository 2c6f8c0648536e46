/**
 * Icon paths: one each, on a grid of 20 px, stroked with 1.5 px, round caps and joins, live area 2.75–17.25. Draw one with
 * `<Icon path={copy} />`. Unused icons are not in the build.
 * A bundle takes whole files, so icons are split by first use: the page's start in `iconsOfStart.ts`, the modal in
 * `iconsOfModal.ts`, the replayer in `iconsOfReplayer.ts`.
 */
export const close = 'M5 5l10 10M15 5L5 15'
export const go = 'M8 4.5l5.5 5.5L8 15.5'
export const down = 'M5 8l5 5 5-5'
export const plus = 'M10 4v12M4 10h12'
export const pauseIcon = 'M7 4.5v11M13 4.5v11'
export const swap = 'M7 4v12M7 16l-3-3M7 16l3-3M13 16V4M13 4l-3 3M13 4l3 3'
export const refresh = 'M16 10a6 6 0 1 1-1.9-4.4L16 7.25M16 3.75v3.5h-3.5'
export const warn = 'M10 3.25l7.25 13H2.75zM10 8.25v3.5M10 14v.01'
export const info = 'M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 0 1 14.5 0zM10 9.25V14M10 6.25v.01'
export const clockIcon = 'M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 0 1 14.5 0zM10 6v4.25l2.75 1.5'
export const shield = 'M10 2.75l6 2.25v4.5c0 3.6-2.4 6.3-6 7.75-3.6-1.45-6-4.15-6-7.75V5zM7.25 10l2 2 3.5-3.75'
export const out =
  'M11.5 3.75h4.75V8.5M16 4l-7 7M8 4.75H5.5a1.75 1.75 0 0 0-1.75 1.75v8c0 .97.78 1.75 1.75 1.75h8a1.75 1.75 0 0 0 1.75-1.75V12'
export const copyIcon =
  'M9 7h5.5a2 2 0 0 1 2 2v5.5a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zM13 4.6A1.6 1.6 0 0 0 11.5 3.5h-6a2 2 0 0 0-2 2v6c0 .75.45 1.3 1.1 1.5'
export const wallet =
  'M5 5h10a2.25 2.25 0 0 1 2.25 2.25v6.5a2.25 2.25 0 0 1-2.25 2.25H5a2.25 2.25 0 0 1-2.25-2.25v-6.5a2.25 2.25 0 0 1 2.25-2.25zM12.75 10.5h4.5M5 5l7.5-2.25V5'
