// The hidden frames and popups of a fake page, with everything that can happen to them.
import type { FrameEvent, Platform, PopupPort } from '../session/platform/platform.ts'

/** A hidden frame in a fake page. */
export interface FakeFrame {
  /** Its name, by which our own frames are known. */
  readonly name: string
  /** The address it was opened with. */
  readonly url: string
  /** Query of the address that the frame was opened with. */
  readonly parameters: URLSearchParams
  /** In the page still. */
  readonly isOpen: boolean
  /** The server answers: `{ code }` or `{ error }`; type and state of the request are filled in. */
  answer(response: Readonly<Record<string, unknown>>): void
  /** Any message of the frame's own window and origin. */
  post(data: unknown): void
  /** The frame's page has loaded; refused ones load too. */
  load(): void
  /** The Content-Security-Policy of the app's page forbids the frame. */
  csp(): void
  /** Something else took the frame out of the page. */
  remove(): void
}

/** A popup of a fake page. */
export interface FakePopup {
  /** Its name, by which our own popups are known. */
  readonly name: string
  /** Every address it was sent to. */
  readonly urls: readonly string[]
  /** Closed, by its user or by the app. */
  readonly isClosed: boolean
  /** How often the app brought it to the front. */
  readonly focusCount: number
  /** A message of the popup's own window and origin. */
  post(data: unknown): void
  /** The user closes the window. */
  close(): void
}

/** The windows of one page. */
export interface FakeWindows {
  readonly frames: FakeFrame[]
  readonly popups: FakePopup[]
  openFrame: Platform['openFrame']
  openPopup: NonNullable<Platform['openPopup']>
}

export function createFakeWindows(options: {
  onFrame(frame: FakeFrame): void
  onPopup(popup: FakePopup): void
  isPopupBlocked(): boolean
  /** Whether /oauth/close says nothing. Default: it says closeMe, as the server's page does. */
  isClosePageMute?: boolean | undefined
}): FakeWindows {
  const frames: FakeFrame[] = []
  const popups: FakePopup[] = []
  const drop = <Item>(list: Item[], item: Item) => {
    if (list.includes(item)) list.splice(list.indexOf(item), 1)
  }

  return {
    frames,
    popups,
    openFrame({ name, url, listen }) {
      let isListening = true
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
        load: () => tell({ type: 'loaded' }),
        csp: () => tell({ type: 'csp' }),
        remove() {
          drop(frames, frame)
          tell({ type: 'removed' })
        },
      }
      frames.push(frame)
      options.onFrame(frame)
      return {
        remove() {
          isListening = false
          drop(frames, frame)
        },
      }
    },
    openPopup({ name, url, listen }) {
      if (options.isPopupBlocked()) return undefined
      const urls = [url]
      let isClosed = false
      let focusCount = 0
      const popup: FakePopup = {
        name,
        urls,
        get isClosed() {
          return isClosed
        },
        get focusCount() {
          return focusCount
        },
        post: (data) => {
          if (!isClosed) listen(data)
        },
        close() {
          isClosed = true
          drop(popups, popup)
        },
      }
      popups.push(popup)
      options.onPopup(popup)
      const port: PopupPort = {
        get isClosed() {
          return isClosed
        },
        navigate(address) {
          urls.push(address)
          const isClosePage = new URL(address).pathname === '/oauth/close'
          if (isClosePage && !options.isClosePageMute)
            void Promise.resolve().then(() => popup.post('closeMe'))
        },
        focus: () => {
          focusCount += 1
        },
        close: popup.close,
      }
      return port
    },
  }
}
