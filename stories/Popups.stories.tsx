// Popups of cloud account, consent and password with every outcome; msw is the server.
import {
  useChangePassword,
  useGrantAdminConsent,
  useLinkCloudAccount,
  useReauthenticateCloudAccount,
  useUnlinkCloudAccount,
} from 'latchkey'
import type { ReactNode } from 'react'
import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { inNarrow, Popup } from './CallParts.tsx'
import { answer, json, type MswPageOptions, startMswPage } from './mswPage.tsx'
import { OnPage } from './startedPage.tsx'

const meta = preview.meta({
  title: 'Popups',
  parameters: {
    docs: {
      description: {
        component:
          'Work in a window of its own, each way it can end. Reference: [useLinkCloudAccount](./?path=/docs/hooks-uselinkcloudaccount--docs), [useUnlinkCloudAccount](./?path=/docs/hooks-useunlinkcloudaccount--docs), [useReauthenticateCloudAccount](./?path=/docs/hooks-usereauthenticatecloudaccount--docs), [useGrantAdminConsent](./?path=/docs/hooks-usegrantadminconsent--docs), [useChangePassword](./?path=/docs/hooks-usechangepassword--docs)',
      },
    },
  },
})

function Link() {
  return <Popup title="Cloud account" action="Link" popup={useLinkCloudAccount()} variables={undefined} />
}
function Unlink() {
  return <Popup title="Cloud account" action="Unlink" popup={useUnlinkCloudAccount()} variables={undefined} />
}
function Reauthenticate() {
  const popup = useReauthenticateCloudAccount()
  return <Popup title="Cloud account" action="Confirm" popup={popup} variables={undefined} />
}
function Consent({ domain = 'firm.example' }: { domain?: string }) {
  return <Popup title="Consent" action="Grant" popup={useGrantAdminConsent()} variables={{ domain }} />
}
function Password() {
  return <Popup title="Password" action="Change" popup={useChangePassword()} variables={undefined} />
}

const on = (screen: ReactNode, options: MswPageOptions = {}) => ({
  loaders: [() => startMswPage(options)],
  render: (_: unknown, { loaded }: { loaded: unknown }) => <OnPage page={loaded}>{screen}</OnPage>,
})
/** Presses the first button, then the named ones, and expects these words. */
const brings = (text: string | RegExp, ...presses: string[]) => ({
  play: async ({ canvasElement }: { canvasElement: HTMLElement }) => {
    const canvas = within(canvasElement)
    canvas.getByRole('button').click()
    for (const name of presses) (await canvas.findByRole('button', { name })).click()
    await waitFor(() => expect(canvasElement).toHaveTextContent(text))
  },
})
const agrees: MswPageOptions = { inPopup: (popup, { cloud }) => cloud.agree(popup) }
const linked: MswPageOptions = { ...agrees, cloud: { linkedAccount: { id: 'cloud-alice' } } }

export const Open = meta.story({ ...on(<Link />), ...brings('Go on in the other window') })
export const OpenDark = meta.story({ ...Open.input, globals: { theme: 'dark' } })
export const OpenNarrow = meta.story({ ...Open.input, ...inNarrow })
export const Linked = meta.story({ ...on(<Link />, agrees), ...brings('"isChanged":true') })
export const NothingLinked = meta.story({
  ...on(<Link />, { inPopup: (popup) => popup.post('closeMe') }),
  ...brings('"isChanged":false'),
})
// Some servers respond 404 if nothing is linked: the popups treat that as a state, not as a failure.
const by404: MswPageOptions = { cloud: { unlinkedStatus: 404 } }
export const LinkedWhereNothingIs404 = meta.story({
  ...on(<Link />, { ...agrees, ...by404 }),
  ...brings('"isChanged":true'),
})
export const NothingLinkedBy404 = meta.story({
  ...on(<Link />, { ...by404, inPopup: (popup) => popup.post('closeMe') }),
  ...brings('"isChanged":false'),
})
export const Blocked = meta.story({
  ...on(<Link />, { prepare: ({ host }) => void (host.isPopupBlocked = true) }),
  ...brings('Allow windows of this site, then click again.'),
})
export const ClosedByHand = meta.story({
  ...on(<Link />, {
    inPopup(popup, { host }) {
      popup.close()
      // Long enough even if the popup's watcher starts later.
      void host.clock.advance(4_000)
    },
  }),
  ...brings('The window was closed before anything changed'),
})
export const DoneByTheUsersWord = meta.story({ ...on(<Link />), ...brings('"isChanged":false', 'I am done') })
export const Cancelled = meta.story({
  ...on(<Link />),
  ...brings('The window was closed before anything changed', 'Cancel'),
})
export const NeverAnswering = meta.story({
  ...on(<Link />),
  play: async ({ canvas, canvasElement, loaded }) => {
    canvas.getByRole('button').click()
    await canvas.findByRole('button', { name: 'Cancel' })
    const { host } = loaded as Awaited<ReturnType<typeof startMswPage>>
    await host.clock.advance(601_000)
    await waitFor(() => expect(canvasElement).toHaveTextContent('The window did not come to an end'))
  },
})
export const StatusNotReadable = meta.story({
  ...on(<Link />, {
    ...agrees,
    handlers: [answer('get', '/cloudprovider/userinfo', () => json(403, {}))],
  }),
  ...brings('This user is not allowed to do that.'),
})
export const Unlinked = meta.story({ ...on(<Unlink />, linked), ...brings('"linked":false') })
export const UnlinkedWhereNothingIs404 = meta.story({
  ...on(<Unlink />, { ...agrees, cloud: { linkedAccount: { id: 'cloud-alice' }, unlinkedStatus: 404 } }),
  ...brings('"isChanged":true'),
})
export const Confirmed = meta.story({
  ...on(<Reauthenticate />, {
    ...linked,
    inPopup: function agree(popup, scene) {
      // The window waits on a blank page until the nonce has come.
      if (popup.urls.length > 1) scene.cloud.agree(popup)
      else setTimeout(() => agree(popup, scene), 50)
    },
  }),
  ...brings('"isChanged":true'),
})
export const NonceNotGiven = meta.story({
  ...on(<Reauthenticate />, {
    handlers: [answer('get', '/cloudprovider/reauthenticate/link', () => json(404, {}))],
  }),
  ...brings('answered 404'),
})
export const ConsentGranted = meta.story({ ...on(<Consent />, agrees), ...brings('"domain":"firm.example"') })
export const ConsentForNoDomain = meta.story({
  ...on(<Consent domain="https://firm.example/" />),
  ...brings('domain is not a domain name'),
})
export const PasswordChanged = meta.story({ ...on(<Password />, agrees), ...brings('Done') })

const blocked: MswPageOptions = { prepare: ({ host }) => void (host.isPopupBlocked = true) }
const BLOCKED = 'Allow windows of this site, then click again.'
const CLOSED = 'The window was closed before anything changed'

export const UnlinkBlocked = meta.story({
  ...on(<Unlink />, { ...blocked, cloud: linked.cloud! }),
  ...brings(BLOCKED),
})
export const UnlinkCancelled = meta.story({
  ...on(<Unlink />, { cloud: linked.cloud! }),
  ...brings(CLOSED, 'Cancel'),
})
export const ConfirmBlocked = meta.story({
  ...on(<Reauthenticate />, { ...blocked, cloud: linked.cloud! }),
  ...brings(BLOCKED),
})
export const ConfirmCancelled = meta.story({
  ...on(<Reauthenticate />, { cloud: linked.cloud! }),
  ...brings(CLOSED, 'Cancel'),
})
export const ConsentBlocked = meta.story({ ...on(<Consent />, blocked), ...brings(BLOCKED) })
export const ConsentCancelled = meta.story({ ...on(<Consent />), ...brings(CLOSED, 'Cancel') })
export const PasswordBlocked = meta.story({ ...on(<Password />, blocked), ...brings(BLOCKED) })
export const PasswordCancelled = meta.story({ ...on(<Password />), ...brings(CLOSED, 'Cancel') })
