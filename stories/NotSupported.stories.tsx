// Hooks that need a server of the latchkey contract, with an OpenID Connect provider instead: each reports that before a request.
import {
  useAdminConsent,
  useAuth,
  useAuthorizeSupport,
  useChangePassword,
  useCloudAccessToken,
  useCloudUserInfo,
  useExchangeAssertion,
  useGrantAdminConsent,
  useLinkCloudAccount,
  useLinkMap,
  usePassthrough,
  useReauthenticateCloudAccount,
  useRevokeAdminConsent,
  useSaveLinkMap,
  useUnlinkCloudAccount,
  useUpdateFirm,
} from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import type { ReactNode } from 'react'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { type AuthScene, createAuthScene, InScene } from './authScene.tsx'
import { inNarrow, Popup, Read, Write } from './CallParts.tsx'

const meta = preview.meta({
  title: 'Another server/Not supported',
  parameters: {
    docs: {
      description: {
        component:
          'What a hook says when the server lacks its call: `error.code` is `not-supported`, and nothing was sent. `auth.supports(name)` tells a screen in advance. Reference: [useLinkMap](./?path=/docs/hooks-uselinkmap--docs)',
      },
    },
  },
})

const on = (screen: ReactNode) => ({
  loaders: [
    () =>
      createAuthScene({
        config: { authHost: undefined, server: openIdConnect({ issuer: 'https://auth.test' }) },
      }),
  ],
  render: (_: unknown, { loaded }: { loaded: unknown }) => (
    <InScene scene={loaded as AuthScene}>{screen}</InScene>
  ),
})
const TEXT = /is not supported\. Ask auth\.supports\(\) first/
/** A read reports it at once. */
const reads = (screen: ReactNode) => ({
  ...on(screen),
  play: ({ canvasElement }: { canvasElement: HTMLElement }) =>
    waitFor(() => expect(canvasElement).toHaveTextContent(TEXT)),
})
/** A write or a popup reports it after the click. */
const writes = (screen: ReactNode) => ({
  ...on(screen),
  async play({ canvasElement }: { canvasElement: HTMLElement }) {
    canvasElement.querySelector('button')!.click()
    await waitFor(() => expect(canvasElement).toHaveTextContent(TEXT))
  },
})

function Map() {
  return <Read title="Link map" result={useLinkMap()} />
}
function Consent() {
  return <Read title="Admin consent" result={useAdminConsent()} />
}
function CloudUser() {
  return <Read title="Cloud account" result={useCloudUserInfo()} />
}
function Token() {
  return <Read title="Access token" result={useCloudAccessToken()} />
}
function SaveMap() {
  return <Write title="Link map" action="Save" mutation={useSaveLinkMap()} variables={[]} />
}
function Revoke() {
  return (
    <Write title="Consent" action="Take it back" mutation={useRevokeAdminConsent()} variables={undefined} />
  )
}
function Firm() {
  const variables = { id: 'f1', cloudProviderId: 'cumulus' }
  return <Write title="Firm" action="Save" mutation={useUpdateFirm()} variables={variables} />
}
function Support() {
  const variables = { requestCode: 'CODE-1234', duration: 60 }
  return <Write title="Support" action="Let them in" mutation={useAuthorizeSupport()} variables={variables} />
}
function Exchange() {
  const variables = { assertion: 'JTI-1' }
  return <Write title="Assertion" action="Exchange" mutation={useExchangeAssertion()} variables={variables} />
}
function Through() {
  const variables = { redirect: 'https://app.test/' }
  return <Write title="Another app" action="Go there" mutation={usePassthrough()} variables={variables} />
}
function Link() {
  return <Popup title="Cloud account" action="Link" popup={useLinkCloudAccount()} variables={undefined} />
}
function Unlink() {
  return <Popup title="Cloud account" action="Unlink" popup={useUnlinkCloudAccount()} variables={undefined} />
}
function Again() {
  const popup = useReauthenticateCloudAccount()
  return <Popup title="Cloud account" action="Sign in there again" popup={popup} variables={undefined} />
}
function Grant() {
  return <Popup title="Consent" action="Give it" popup={useGrantAdminConsent()} variables={undefined} />
}
function Password() {
  return <Popup title="Password" action="Change it" popup={useChangePassword()} variables={undefined} />
}
/** A screen that checks in advance offers nothing that cannot work. */
function AskedInAdvance() {
  const { auth } = useAuth()
  return (
    <main>
      <h1>Link map</h1>
      {auth.supports('linkMap') ? <Map /> : <p>This server has no link map.</p>}
    </main>
  )
}

export const LinkMap = meta.story(reads(<Map />))
export const LinkMapDark = meta.story({ ...reads(<Map />), globals: { theme: 'dark' } })
export const LinkMapNarrow = meta.story({ ...reads(<Map />), ...inNarrow })
export const AdminConsent = meta.story(reads(<Consent />))
export const CloudUserInfo = meta.story(reads(<CloudUser />))
export const CloudAccessToken = meta.story(reads(<Token />))
export const SaveLinkMap = meta.story(writes(<SaveMap />))
export const RevokeAdminConsent = meta.story(writes(<Revoke />))
export const UpdateFirm = meta.story(writes(<Firm />))
export const AuthorizeSupport = meta.story(writes(<Support />))
export const ExchangeAssertion = meta.story(writes(<Exchange />))
export const Passthrough = meta.story(writes(<Through />))
export const LinkCloudAccount = meta.story(writes(<Link />))
export const UnlinkCloudAccount = meta.story(writes(<Unlink />))
export const ReauthenticateCloudAccount = meta.story(writes(<Again />))
export const GrantAdminConsent = meta.story(writes(<Grant />))
export const ChangePassword = meta.story(writes(<Password />))
export const ScreenThatAsksFirst = meta.story({
  ...on(<AskedInAdvance />),
  play: ({ canvas }) => expect(canvas.getByText('This server has no link map.')).toBeVisible(),
})
