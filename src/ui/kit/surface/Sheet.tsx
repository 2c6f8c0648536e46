import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { classes } from '../classes.ts'
import { deepFocus, tabStops } from './focus.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { close } from '../icons/icons.ts'
import { back } from '../icons/iconsOfModal.ts'
import { basics } from '../../texts/basics/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { hasScrollBar, lockScroll } from './lockScroll.ts'

export interface SheetProps {
  /** The header's text and the dialog's name. */
  title: string
  /** The dialog's name where the title is empty and the left slot takes its place. */
  name?: string
  /** Key of the view; a change slides title and content and checks the focus. */
  viewKey: string
  /** Direction of the slide; absent for the first view. */
  travel?: 'next' | 'previous' | undefined
  /** Left slot: a back button if set, else `left`, else empty. */
  onBack?: (() => void) | undefined
  left?: ReactNode
  /** Escape, the overlay or Close was pressed. */
  onClose: () => void
  /** The view cannot be closed: the sentence that is read aloud at each refusal. */
  staying?: string | undefined
  /** Refusals since the opening; another one shakes the sheet. Default 0. */
  shakes?: number
  /** Padding of 20 px, for forms; default 12, for lists. */
  pad?: boolean
  /** A wallet may draw its own window over the sheet. */
  below?: boolean
  /** In the flow of the page: a region without overlay, Close and focus trap. */
  embedded?: boolean
  /** Below the content, under a line. */
  foot?: ReactNode
  toast?: ReactNode
  /** Above the header. */
  alert?: ReactNode
  children: ReactNode
}

/** Duration of a shake, ms. */
export const shakeMs = 500

/** The frame of the modal: a dialog in the middle, at the bottom edge when narrow (≤ 430 px). */
export function Sheet(props: SheetProps) {
  const {
    title,
    name,
    viewKey,
    travel,
    onBack,
    left,
    onClose,
    below = false,
    embedded = false,
    staying,
    shakes = 0,
  } = props
  const overlay = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLElement>(null)
  const t = useTexts(basics)
  useHold({ overlay, sheet, viewKey, below, embedded, close: onClose })
  useShakes(sheet, shakes)

  return (
    <Overlay box={overlay} below={below} embedded={embedded} onPress={onClose}>
      <section
        ref={sheet}
        className="sheet"
        part="sheet"
        role={embedded ? 'region' : staying ? 'alertdialog' : 'dialog'}
        aria-modal={embedded ? undefined : true}
        aria-label={title || name}
        tabIndex={-1}
        data-testid="modal"
      >
        {props.alert}
        <div className="sheet-head" part="head">
          {onBack ? (
            <IconButton
              key="back"
              path={back}
              className="sheet-back"
              label={t.back}
              part="back"
              data-testid="modal-back"
              onClick={onBack}
            />
          ) : (
            (left ?? <span />)
          )}
          <h2 className={title ? undefined : 'text-hidden'} part="title" data-testid="modal-title">
            <span key={viewKey} className={travel && `sheet-title-${travel}`}>
              {title || name}
            </span>
          </h2>
          {!embedded && (
            <IconButton path={close} label={t.close} part="close" data-testid="modal-close" onClick={onClose} />
          )}
        </div>
        {staying !== undefined && (
          <p className="text-hidden" role="alert" key={shakes}>
            {shakes > 0 && staying}
          </p>
        )}
        <Measured>
          <div key={viewKey} className={travel && `sheet-view-${travel}`}>
            <div className={classes('sheet-body', props.pad && 'is-padded')} part="body">
              {props.children}
            </div>
            {props.foot && (
              <div className="sheet-foot" part="foot">
                {props.foot}
              </div>
            )}
          </div>
        </Measured>
        {props.toast}
      </section>
    </Overlay>
  )
}

/** Four swings of 6 px; none where less motion is wanted. The focus goes to what must be answered, with its ring. */
function useShakes(sheet: RefObject<HTMLElement | null>, shakes: number): void {
  useEffect(() => {
    const box = sheet.current
    if (!box || shakes === 0) return
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
      box.animate?.({ translate: [0, -6, 6, -6, 6, 0].map(x => `${x}px`) }, shakeMs)
    box.querySelector<HTMLElement>('.sheet-body button')?.focus({ focusVisible: true } as FocusOptions)
  }, [sheet, shakes])
}

type OverlayProps = {
  box: RefObject<HTMLDivElement | null>
  below: boolean
  embedded: boolean
  onPress: () => void
  children: ReactNode
}

/**
 * The browser's top layer, so that no z-index of a host covers the sheet; engines without popovers keep to the z-index, and so does
 * the sheet while a wallet is asked, whose window may be part of the page. A press
 * closes only if it begins and ends on the overlay itself, so dragging a text selection out of a field
 * does not.
 */
function Overlay({ box, below, embedded, onPress, children }: OverlayProps) {
  const began = useRef(false)
  // From then on it stays in the layout: its animations would run again
  const [isLaidOut, setLaidOut] = useState(below)
  if (below && !isLaidOut) setLaidOut(true)
  if (embedded) return <div ref={box}>{children}</div>
  return (
    <div
      ref={box}
      popover="manual"
      className={classes('sheet-overlay', isLaidOut && 'is-laid-out')}
      part="overlay"
      role="presentation"
      onPointerDown={event => {
        began.current = event.target === event.currentTarget
      }}
      onClick={event => {
        if (began.current && event.target === event.currentTarget) onPress()
      }}
    >
      {children}
    </div>
  )
}

/** Keeps the height of its content, so that CSS can animate a change; a custom property would restyle all that inherits it. */
function Measured({ children }: { children: ReactNode }) {
  const outer = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!inner.current) return
    const sizes = new ResizeObserver(([size]) => {
      const height = size?.borderBoxSize[0]?.blockSize
      if (height) outer.current?.style.setProperty('height', `${height}px`)
    })
    sizes.observe(inner.current)
    return () => sizes.disconnect()
  }, [])
  return (
    <div className="sheet-view" ref={outer}>
      <div ref={inner}>{children}</div>
    </div>
  )
}

type Hold = {
  overlay: RefObject<HTMLElement | null>
  sheet: RefObject<HTMLElement | null>
  viewKey: string
  below: boolean
  embedded: boolean
  close: () => void
}

/** @returns whether another part of the page has the key. A closed shadow root hides the way below its host */
function isElsewhere(box: HTMLElement, event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  const { body, documentElement } = box.ownerDocument
  const root = box.getRootNode()
  const isHost = root instanceof ShadowRoot && target === root.host
  // Without a focus a key goes to the body
  return !isHost && target !== body && target !== documentElement && !(target instanceof Node && box.contains(target))
}

/**
 * While mounted: shows the overlay on top, traps the focus, closes on Escape, locks the page's scrolling. On unmount: restores
 * the focus. An embedded sheet leaves the page to itself; one below a wallet's window leaves that its keys.
 */
function useHold({ overlay, sheet, viewKey, below, embedded, close }: Hold) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const box = sheet.current
    if (!box || event.defaultPrevented || (below && isElsewhere(box, event))) return
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    } else if (event.key === 'Tab') {
      const stops = tabStops(box)
      const at = deepFocus(box.getRootNode() as Document | ShadowRoot)
      const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
      const inside = at !== undefined && box.contains(at)
      if (inside && at !== from && !(event.shiftKey && at === box)) return
      event.preventDefault()
      ;(inside ? to : stops[0])?.focus()
    }
  })

  useLayoutEffect(() => {
    const box = sheet.current
    if (!box || embedded) return
    const page = box.ownerDocument
    const opener = deepFocus(page)
    // Read while the overlay is in no layout: from then on each reading lays out all of it
    const unlock = lockScroll(page, hasScrollBar(page))
    const key = (event: KeyboardEvent) => onKey(event)
    page.addEventListener('keydown', key)
    return () => {
      page.removeEventListener('keydown', key)
      unlock()
      if (opener?.isConnected) opener.focus({ preventScroll: true })
    }
  }, [overlay, sheet, embedded])

  // Computes the page's styles, so it comes behind what changes them
  useLayoutEffect(() => {
    if (below || embedded) return
    const box = overlay.current
    box?.showPopover?.()
    return () => box?.hidePopover?.()
  }, [overlay, below, embedded])

  // on opening, and when the focused view has unmounted
  useLayoutEffect(() => {
    const box = sheet.current
    if (!box || embedded) return
    const at = deepFocus(box.getRootNode() as Document | ShadowRoot)
    if (!at || !box.contains(at)) box.focus({ preventScroll: true })
  }, [sheet, viewKey, embedded])
}
