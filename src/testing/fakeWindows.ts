// The hidden frames and popups of a fake page, for a test to control.
import type { FrameEvent, Platform, PopupPort } from '../session/platform/platform.ts'

/** A hidden frame in a fake page. */
export interface FakeFrame {
  /** Its name, by which latchkey's frames are recognised. */
  readonly name: string
  /** The URL that the frame was opened with. */
  readonly url: string
  /** The query of that URL. */
  readonly parameters: URLSearchParams
  /** Whether it is still in the page. */
  readonly isOpen: boolean
  /** Sends a response of the server: `{ code }` or `{ error }`. Type and state are filled in. */
  answer(response: Readonly<Record<string, unknown>>): void
  /** Sends any message from the frame's window and origin. */
  post(data: unknown): void
  /** Sends the load event. Blocked frames load too. `address`: where the frame is, if it is back at the page's own origin. */
  load(address?: string): void
  /** Blocks the frame by the Content-Security-Policy of the app's page. */
  csp(): void
  /** Removes the frame from the page, as other code might. */
  remove(): void
}

/** A popup of a fake page. */
export interface FakePopup {
  /** Its name, by which latchkey's popups are recognised. */
  readonly name: string
  /** The URLs it navigated to, in order. */
  readonly urls: readonly string[]
  /** Whether the user or the app has closed it. */
  readonly isClosed: boolean
  /** How often the app brought it to the front. */
  readonly focusCount: number
  /** Whether it lives without its opener: its page has no name then, and its messages do not arrive. */
  readonly isCutOff: boolean
  /** Sends a message from the popup's window and origin. */
  post(data: unknown): void
  /** Closes the window, as its user does. */
  close(): void
  /** Cuts it off from its opener, as a Cross-Origin-Opener-Policy does: from there it looks closed. */
  cutOff(): void
}

/** The windows of one page. */
export function createFakeWindows(options: {
  onFrame?(frame: FakeFrame): void
  onPopup?(popup: FakePopup): void
  /** Called when the app sends a popup on. */
  onNavigate?(popup: FakePopup): void
  isPopupBlocked(): boolean
  /** Default: unknown. */
  isPageInFront?(): boolean | undefined
  isPageInFrame?: boolean | undefined
  /** Whether /oauth/close stays silent. Default false: it sends closeMe, as the server's page does. */
  isClosePageMute?: boolean | undefined
}): {
  frames: FakeFrame[]
  popups: FakePopup[]
  openFrame: Platform['openFrame']
  openPopup: NonNullable<Platform['openPopup']>
} {
  const frames: FakeFrame[] = []
  const popups: FakePopup[] = []
  const drop = <Item>(list: Item[], item: Item) => {
    if (list.includes(item)) list.splice(list.indexOf(item), 1)
  }

  const openFrame: Platform['openFrame'] = ({ name, url, listen }) => {
    let isListening = true
    let shown: string | undefined
    const parameters = new URL(url).searchParams
    const tell = (event: FrameEvent) => {
      if (isListening) listen(event)
    }
    const frame: FakeFrame = {
      name,
      url,
      parameters,
      get isOpen() {
        return frames.includes(frame)
      },
      answer: (response) =>
        frame.post({
          type: 'authorization_response',
          response: { state: parameters.get('state'), ...response },
        }),
      post: (data) => tell({ type: 'message', data }),
      load(address) {
        shown = address
        tell({ type: 'loaded' })
      },
      csp: () => tell({ type: 'csp' }),
      remove() {
        drop(frames, frame)
        tell({ type: 'removed' })
      },
    }
    frames.push(frame)
    options.onFrame?.(frame)
    return {
      address: () => shown,
      remove() {
        isListening = false
        drop(frames, frame)
      },
    }
  }
  const openPopup: NonNullable<Platform['openPopup']> = ({ name, url, listen }) => {
    if (options.isPopupBlocked()) return undefined
    const urls = [url]
    const popup: { -readonly [Name in keyof FakePopup]: FakePopup[Name] } = {
      name,
      urls,
      isClosed: false,
      focusCount: 0,
      isCutOff: false,
      post(data) {
        if (!popup.isClosed && !popup.isCutOff) listen(data)
      },
      close() {
        popup.isClosed = true
        drop(popups, popup)
      },
      cutOff() {
        popup.isCutOff = true
      },
    }
    popups.push(popup)
    options.onPopup?.(popup)
    const port: PopupPort = {
      get isClosed() {
        return popup.isClosed || popup.isCutOff
      },
      get isPageInFront() {
        return options.isPageInFront?.()
      },
      isPageInFrame: options.isPageInFrame,
      navigate(address) {
        urls.push(address)
        const isClosePage = new URL(address).pathname === '/oauth/close'
        if (isClosePage && !options.isClosePageMute) void Promise.resolve().then(() => popup.post('closeMe'))
        options.onNavigate?.(popup)
      },
      focus() {
        popup.focusCount += 1
      },
      close() {
        if (!popup.isCutOff) popup.close()
      },
    }
    return port
  }
  return { frames, popups, openFrame, openPopup }
}
