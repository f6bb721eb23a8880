// Writes to firm, consent, link map and support, and the assertion exchange, with msw as the server.
import {
  useAdminConsent,
  useAuthorizeSupport,
  useExchangeAssertion,
  useLinkMap,
  useRevokeAdminConsent,
  useSaveLinkMap,
  useUpdateFirm,
} from 'latchkey'
import type { ReactNode } from 'react'
import { expect, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { Write } from './CallParts.tsx'
import { answer, json, type MswPageOptions, never, startMswPage } from './mswPage.tsx'
import { OnPage } from './startedPage.tsx'

const meta = preview.meta({
  title: 'Writes/Cloud',
  parameters: {
    docs: {
      description: {
        component:
          'Writes, each way they can end. Reference: [useUpdateFirm](./?path=/docs/hooks-useupdatefirm--docs), [useSaveLinkMap](./?path=/docs/hooks-usesavelinkmap--docs), [useRevokeAdminConsent](./?path=/docs/hooks-userevokeadminconsent--docs), [useAuthorizeSupport](./?path=/docs/hooks-useauthorizesupport--docs), [useExchangeAssertion](./?path=/docs/hooks-useexchangeassertion--docs)',
      },
    },
  },
})

function Firm({ cloudProviderId = 'cumulus' }: { cloudProviderId?: string }) {
  const variables = { id: 'f1', cloudProviderId }
  return <Write title="Firm" action="Save" mutation={useUpdateFirm()} variables={variables} />
}
function Revoke({ domain }: { domain?: string }) {
  const variables = domain === undefined ? undefined : { domain }
  return (
    <Write title="Consent" action="Take it back" mutation={useRevokeAdminConsent()} variables={variables} />
  )
}
function RevokeOfDomain({ domain }: { domain: string }) {
  const { data } = useAdminConsent({ domain })
  return (
    <>
      <Revoke domain={domain} />
      <p>{data && (data['granted'] === true ? 'Given' : 'Not given')}</p>
    </>
  )
}
function Support({ duration = 60 }: { duration?: number }) {
  const variables = { requestCode: 'CODE-1234', duration }
  return <Write title="Support" action="Let them in" mutation={useAuthorizeSupport()} variables={variables} />
}
function Exchange() {
  const variables = { assertion: 'JTI-1' }
  return <Write title="Assertion" action="Exchange" mutation={useExchangeAssertion()} variables={variables} />
}
const BOB = { internalUser: { id: 'bob', name: 'Bob' }, externalUser: { id: 'cloud-bob' } }
const BOB_ONLY: unknown[] = [BOB]
function LinkMap({ entries = BOB_ONLY }) {
  const { data = [] } = useLinkMap({ allUsers: true })
  return (
    <Write title="Link map" action="Link Bob only" mutation={useSaveLinkMap()} variables={entries as never}>
      <ul>
        {data.map(({ internalUser, externalUser }) => (
          <li key={JSON.stringify(internalUser)}>
            {(internalUser as { name: string }).name} is {externalUser ? 'linked' : 'not linked'}
          </li>
        ))}
      </ul>
    </Write>
  )
}

const on = (screen: ReactNode, options: MswPageOptions = {}) => ({
  loaders: [() => startMswPage(options)],
  render: (_: unknown, { loaded }: { loaded: unknown }) => <OnPage page={loaded}>{screen}</OnPage>,
})
/** Presses the button and expects these words. */
const brings = (...texts: (string | RegExp)[]) => ({
  play: async ({ canvasElement }: { canvasElement: HTMLElement }) => {
    within(canvasElement).getByRole('button').click()
    for (const text of texts) await waitFor(() => expect(canvasElement).toHaveTextContent(text))
  },
})

export const FirmSaved = meta.story({ ...on(<Firm />), ...brings('Done') })
export const FirmSavedDark = meta.story({ ...FirmSaved.input, globals: { theme: 'dark' } })
export const FirmWithoutProvider = meta.story({
  ...on(<Firm cloudProviderId="" />),
  ...brings('cloudProviderId is required'),
})
export const FirmForbidden = meta.story({
  ...on(<Firm />, { cloud: { isAdministrator: false } }),
  ...brings('This user is not allowed to do that.'),
})
export const FirmSaving = meta.story({
  ...on(<Firm />, { handlers: [answer('put', '/api/firms/f1', never)] }),
  ...brings('One moment'),
})
export const FirmOffline = meta.story({
  ...on(<Firm />, { prepare: ({ host }) => host.setOnline(false) }),
  ...brings('The browser is offline'),
})
export const ConsentTakenBack = meta.story({ ...on(<Revoke />), ...brings('Done') })
const OF_FIRM: MswPageOptions = { cloud: { consent: { domain: 'firm.test' } } }
export const ConsentOfADomainTakenBack = meta.story({
  ...on(<RevokeOfDomain domain="firm.test" />, OF_FIRM),
  play: async ({ canvasElement, canvas }) => {
    await canvas.findByText('Given')
    canvas.getByRole('button').click()
    for (const text of ['Done', 'Not given'])
      await waitFor(() => expect(canvasElement).toHaveTextContent(text))
  },
})
export const ConsentOfAnotherDomainTakenBack = meta.story({
  ...on(<Revoke domain="other.test" />, OF_FIRM),
  play: async ({ canvasElement, canvas, loaded }) => {
    canvas.getByRole('button').click()
    await waitFor(() => expect(canvasElement).toHaveTextContent('Done'))
    // The consent of the firm's own domain stays.
    const { cloud } = loaded as Awaited<ReturnType<typeof startMswPage>>
    await expect(cloud.consent).toEqual({ domain: 'firm.test' })
  },
})
export const ConsentAnsweredWith200 = meta.story({
  ...on(<Revoke />, { handlers: [answer('delete', '/cloudprovider/adminconsent', () => json(200, {}))] }),
  ...brings('answered 200'),
})
export const LinkMapSaved = meta.story({
  ...on(<LinkMap />),
  ...brings('Alice is not linked', 'Bob is linked', 'Done'),
})
export const LinkMapShownBeforeTheAnswer = meta.story({
  ...on(<LinkMap />, { handlers: [answer('put', '/cloudprovider/linkmap', never)] }),
  play: async ({ canvasElement, canvas }) => {
    await canvas.findByText('Alice is linked')
    canvas.getByRole('button').click()
    await waitFor(() => expect(canvasElement).toHaveTextContent('Bob is linked'))
    await expect(canvas.getByRole('button')).toHaveTextContent('One moment')
  },
})
export const LinkMapTakenBackOnConflict = meta.story({
  ...on(<LinkMap />, { handlers: [answer('put', '/cloudprovider/linkmap', () => json(409, {}))] }),
  ...brings('answered 409', 'Alice is linked', 'Bob is not linked'),
})
export const LinkMapOfAColleagueKept = meta.story({
  ...on(<LinkMap />),
  play: async ({ canvasElement, canvas, loaded }) => {
    await canvas.findByText('Bob is not linked')
    const { cloud } = loaded as Awaited<ReturnType<typeof startMswPage>>
    // A colleague saves after this page has read the map.
    const ofColleague = [
      ...cloud.linkMap,
      { internalUser: { id: 'carol', name: 'Carol' }, externalUser: { id: 'cloud-carol' } },
    ]
    cloud.linkMap = ofColleague
    canvas.getByRole('button').click()
    for (const text of [
      'It was changed meanwhile',
      'Carol is linked',
      'Alice is linked',
      'Bob is not linked',
    ]) {
      await waitFor(() => expect(canvasElement).toHaveTextContent(text))
    }
    await expect(cloud.linkMap).toEqual(ofColleague)
  },
})
export const LinkMapInWrongFormat = meta.story({
  ...on(<LinkMap entries={[{ internalUser: 'bob' }]} />),
  ...brings('linkmap in wrong format'),
})
export const SupportLetIn = meta.story({ ...on(<Support />), ...brings('endsAtMs') })
export const SupportForTooLong = meta.story({
  ...on(<Support duration={1441} />),
  ...brings('duration must be whole minutes from 1 to 1440'),
})
export const SupportCodeUsedBefore = meta.story({
  ...on(<Support />, { handlers: [answer('post', '/support/authorization', () => json(409, {}))] }),
  ...brings('answered 409'),
})
export const AssertionExchanged = meta.story({ ...on(<Exchange />), ...brings('"accessToken":"[redacted]"') })
export const AssertionRefused = meta.story({
  ...on(<Exchange />, {
    handlers: [answer('post', '/oauth/token', () => json(400, { error: 'invalid_grant' }))],
  }),
  ...brings('answered 400'),
})
