// Reads of cloud account, consent and link map in each state, with msw as the server.
import { useAdminConsent, useCloudAccessToken, useCloudUserInfo, useLinkMap } from 'latchkey'
import type { ReactNode } from 'react'
import { expect, waitFor } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { inNarrow, Read } from './CallParts.tsx'
import { answer, json, type MswPageOptions, never, portal, startMswPage } from './mswPage.tsx'
import { OnPage } from './startedPage.tsx'

const meta = preview.meta({
  title: 'Reads/Cloud',
  parameters: {
    docs: {
      description: {
        component:
          'Reads, each way they can end. Reference: [useCloudUserInfo](./?path=/docs/hooks-useclouduserinfo--docs), [useCloudAccessToken](./?path=/docs/hooks-usecloudaccesstoken--docs), [useAdminConsent](./?path=/docs/hooks-useadminconsent--docs), [useLinkMap](./?path=/docs/hooks-uselinkmap--docs)',
      },
    },
  },
})

function CloudUser() {
  return <Read title="Your cloud account" result={useCloudUserInfo()} />
}
function Token() {
  return <Read title="Access token" result={useCloudAccessToken()} />
}
function TokenOfNobody() {
  return <Read title="Access token" result={useCloudAccessToken('..')} />
}
function Consent() {
  return <Read title="Admin consent" result={useAdminConsent()} />
}
function ConsentOfDomain({ domain }: { domain: string }) {
  return <Read title={`Admin consent of ${domain}`} result={useAdminConsent({ domain })} />
}
function LinkedUsers() {
  return <Read title="Linked users" result={useLinkMap()} />
}
function AllUsers() {
  return <Read title="All users" result={useLinkMap({ allUsers: true })} />
}

const on = (screen: ReactNode, options: MswPageOptions = {}) => ({
  loaders: [() => startMswPage(options)],
  render: (_: unknown, { loaded }: { loaded: unknown }) => <OnPage page={loaded}>{screen}</OnPage>,
})
const sees = (text: string | RegExp) => ({
  play: ({ canvasElement }: { canvasElement: HTMLElement }) =>
    waitFor(() => expect(canvasElement).toHaveTextContent(text)),
})
const LINKED = { linkedAccount: { id: 'cloud-alice', email: 'alice@cloud.test' } }
const USER = '/cloudprovider/userinfo'

export const Account = meta.story({ ...on(<CloudUser />, { cloud: LINKED }), ...sees('alice@cloud.test') })
export const AccountDark = meta.story({ ...Account.input, globals: { theme: 'dark' } })
export const AccountNarrow = meta.story({ ...Account.input, ...inNarrow })
export const AccountNotLinked = meta.story({ ...on(<CloudUser />), ...sees('"linked": false') })
// Some servers respond 404 if nothing is linked: the read reports that state, and the screen offers to link.
export const AccountNotLinkedBy404 = meta.story({
  ...on(<CloudUser />, { cloud: { unlinkedStatus: 404 } }),
  ...sees('answered 404'),
})
export const AccountLoading = meta.story({
  ...on(<CloudUser />, { handlers: [answer('get', USER, never)] }),
  ...sees('Reading'),
})
export const AccountForbidden = meta.story({
  ...on(<CloudUser />, { handlers: [answer('get', USER, () => json(403, { error: 'access_denied' }))] }),
  ...sees('This user is not allowed to do that.'),
})
export const AccountBehindAPortal = meta.story({
  ...on(<CloudUser />, { handlers: [answer('get', USER, portal)] }),
  ...sees('A proxy or portal may have responded.'),
})
export const AccountOffline = meta.story({
  ...on(<CloudUser />, { prepare: ({ host }) => host.setOnline(false) }),
  ...sees('offline'),
})
export const TokenOutOfSight = meta.story({ ...on(<Token />, { cloud: LINKED }), ...sees('"[redacted]"') })
export const TokenWithoutAccount = meta.story({ ...on(<Token />), ...sees('answered 404') })
export const TokenOfAHostileId = meta.story({
  ...on(<TokenOfNobody />),
  ...sees('id cannot stand in an address'),
})
export const ConsentGiven = meta.story({
  ...on(<Consent />, { cloud: { consent: { domain: 'firm.test' } } }),
  ...sees('firm.test'),
})
export const ConsentNotGiven = meta.story({ ...on(<Consent />), ...sees('"granted": false') })
const OF_FIRM: MswPageOptions = { cloud: { consent: { domain: 'firm.test' } } }
export const ConsentOfThisDomain = meta.story({
  ...on(<ConsentOfDomain domain="firm.test" />, OF_FIRM),
  ...sees('"granted": true'),
})
export const ConsentOfAnotherDomain = meta.story({
  ...on(<ConsentOfDomain domain="other.test" />, OF_FIRM),
  ...sees('"granted": false'),
})
export const ConsentOfNoDomain = meta.story({
  ...on(<ConsentOfDomain domain="https://firm.test/" />, OF_FIRM),
  ...sees('domain is not a domain name'),
})
export const LinkMapOfLinkedUsers = meta.story({ ...on(<LinkedUsers />), ...sees('cloud-alice') })
export const LinkMapOfAllUsers = meta.story({ ...on(<AllUsers />), ...sees('"externalUser": null') })
export const LinkMapEmpty = meta.story({ ...on(<LinkedUsers />, { cloud: { linkMap: [] } }), ...sees('[]') })
export const LinkMapMalformed = meta.story({
  ...on(<LinkedUsers />, { handlers: [answer('get', '/cloudprovider/linkmap', () => json(200, [1, 2]))] }),
  ...sees('unexpected answer'),
})

const refused = () => json(403, { error: 'access_denied' })
const NOT_ALLOWED = 'This user is not allowed to do that.'
const CONSENT = '/cloudprovider/adminconsent/status'
const MAP = '/cloudprovider/linkmap'

export const TokenLoading = meta.story({
  ...on(<Token />, { handlers: [answer('get', '/cloudprovider/accesstoken', never)] }),
  ...sees('Reading'),
})
export const TokenForbidden = meta.story({
  ...on(<Token />, { handlers: [answer('get', '/cloudprovider/accesstoken', refused)] }),
  ...sees(NOT_ALLOWED),
})
export const ConsentLoading = meta.story({
  ...on(<Consent />, { handlers: [answer('get', CONSENT, never)] }),
  ...sees('Reading'),
})
export const ConsentBehindAPortal = meta.story({
  ...on(<Consent />, { handlers: [answer('get', CONSENT, portal)] }),
  ...sees('A proxy or portal may have responded.'),
})
export const ConsentForbidden = meta.story({
  ...on(<Consent />, { handlers: [answer('get', CONSENT, refused)] }),
  ...sees(NOT_ALLOWED),
})
export const LinkMapLoading = meta.story({
  ...on(<LinkedUsers />, { handlers: [answer('get', MAP, never)] }),
  ...sees('Reading'),
})
export const LinkMapForbidden = meta.story({
  ...on(<LinkedUsers />, { handlers: [answer('get', MAP, refused)] }),
  ...sees(NOT_ALLOWED),
})
