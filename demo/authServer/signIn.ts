// The sign-in page: one click a member of staff, a box to stay signed in, and a way back.
import type { Interaction } from 'oidc-provider'
import { initials } from '../initials.ts'
import type { StaffMember } from '../seed.ts'
import { decodeIdentity, encodeIdentity } from './accounts.ts'
import { asksToConfirm, CONFIRMED } from './confirmation.ts'
import type { Call, ServerContext } from './context.ts'
import { badRequest, readForm } from './http.ts'
import { escapeHtml, sendErrorPage, sendPage } from './page.ts'

export async function showSignIn(call: Call): Promise<void> {
  const { server, request, response } = call
  const interaction = await runningInteraction(call)
  if (!interaction) return
  if (interaction.prompt.name === 'consent') {
    // Staff apps of the own firm need no consent page; grants are given in loadExistingGrant.
    await server.provider.interactionFinished(request, response, { consent: {} })
    return
  }
  const formTargets = server.clients.appSources()
  const { accountId } = interaction.session ?? {}
  if (accountId !== undefined && isToConfirm(interaction)) {
    sendPage(response, { title: 'Confirm that it is you', formTargets, body: confirmBody(server, accountId) })
    return
  }
  const { remember_me: remembered, login_hint: hint } = interaction.params
  sendPage(response, { title: 'Sign in', formTargets, body: signInBody(server, remembered === 'true', hint) })
}

const isToConfirm = ({ params }: Interaction): boolean => asksToConfirm(params['acr_values'])

export async function submitSignIn(call: Call): Promise<void> {
  const { server, request, response } = call
  const form = await readForm(request)
  const interaction = await runningInteraction(call)
  if (!interaction) return
  if (form.has('cancel')) {
    await server.provider.interactionFinished(request, response, { error: 'access_denied' })
    return
  }
  const accountId = form.get('account') ?? ''
  if (!server.accounts.isKnown(accountId)) throw badRequest('this person is not known here')
  // Who confirms stays signed in for as long as they had wished.
  const isSame = isToConfirm(interaction) && interaction.session?.accountId === accountId
  await server.provider.interactionFinished(request, response, {
    login: {
      accountId,
      remember: isSame || form.get('remember') === 'on',
      ...(isToConfirm(interaction) && { acr: CONFIRMED }),
    },
  })
}

/** A page kept open too long, or opened in another browser, has nothing to go on with: it says so. */
async function runningInteraction({ server, request, response }: Call) {
  try {
    return await server.provider.interactionDetails(request, response)
  } catch {
    const [app] = server.clients.appOrigins()
    sendErrorPage(response, 400, 'This sign-in has ended', 'Go back to the app and sign in again.', app)
    return undefined
  }
}

/** What the page is made of. */
type SignInServer = Pick<ServerContext, 'accounts' | 'environment'>

/** Whom `login_hint` names, by id or address, comes first. `isRemembered` undefined: every session lasts as long, so nobody is asked. */
export function signInBody(server: SignInServer, isRemembered: boolean | undefined, hint: unknown): string {
  const hinted = server.accounts.staff().find(({ userId, email }) => userId === hint || email === hint)
  const first = hinted ? section('As the app says', [personButton(hinted, hinted.title)]) : ''
  return `<h1>Who is signing in?</h1>
<p class="soft">Pick a member of staff. There is no password in this demo.</p>
<form method="post">
${isRemembered === undefined ? '' : rememberBox(isRemembered)}
${first}${peopleBody(server, hinted?.userId)}
<div class="actions"><button type="submit" name="cancel" value="1">Cancel</button></div>
</form>`
}

const rememberBox = (isChecked: boolean): string =>
  `<label class="check"><input type="checkbox" name="remember"${isChecked ? ' checked' : ''}><span><span>Keep me signed in on this computer</span><span class="soft">Otherwise the session ends with the browser.</span></span></label>`

function peopleBody({ accounts, environment }: SignInServer, exceptId?: string): string {
  const people = accounts.staff().filter(({ userId }) => userId !== exceptId)
  const own = people.filter((person) => accounts.firm(person.firmId)?.environment === environment)
  const others = people.filter((person) => !own.includes(person))
  const firmIds = [...new Set(own.map((person) => person.firmId))]
  const firms = firmIds.map((firmId) => {
    const firm = accounts.firm(firmId)
    return section(
      `${firm?.name ?? firmId}, ${firm?.city ?? ''}`,
      own.filter((person) => person.firmId === firmId).map((person) => personButton(person, person.title)),
    )
  })
  const elsewhere = others.map((person) =>
    personButton(person, `${accounts.firm(person.firmId)?.name ?? ''}, kept in another environment`),
  )
  const onBehalf = accounts.impersonations.map((identity) => {
    const person = accounts.person(identity.userId)
    const impersonator = accounts.person(identity.impersonatorId ?? '')
    return person && impersonator
      ? button(
          encodeIdentity(identity),
          initials(impersonator.name),
          `${impersonator.name} as ${person.name}`,
          'On behalf of a colleague',
          'Impersonation',
        )
      : ''
  })
  return [
    ...firms,
    others.length > 0 ? section('Other environment', elsewhere) : '',
    onBehalf.length > 0 ? section('On behalf of', onBehalf) : '',
  ].join('\n')
}

/** Who is signed in, with one click; or anybody else, as a shared computer would have it. */
function confirmBody(server: ServerContext, accountId: string): string {
  const person = server.accounts.person(decodeIdentity(accountId).userId)
  return `<h1>Confirm that it is you</h1>
<p class="soft">The app asks for it before it changes something. A real server asks for a second factor here.</p>
<form method="post">
${person ? `<ul class="people"><li>${button(accountId, initials(person.name), person.name, 'It is me', '')}</li></ul>` : ''}
<div class="actions"><button type="submit" name="cancel" value="1">Cancel</button></div>
<details><summary>Somebody else</summary>${peopleBody(server, accountId)}</details>
</form>`
}

const section = (title: string, buttons: readonly string[]): string =>
  `<h2>${escapeHtml(title)}</h2><ul class="people">${buttons.map((item) => `<li>${item}</li>`).join('')}</ul>`

const personButton = (person: StaffMember, about: string): string =>
  button(
    person.userId,
    initials(person.name),
    person.name,
    about,
    person.role === 'administrator' ? 'Administrator' : '',
  )

function button(value: string, face: string, name: string, about: string, badge: string): string {
  return `<button class="person" type="submit" name="account" value="${escapeHtml(value)}"><span class="face" aria-hidden="true">${escapeHtml(face)}</span><span class="name">${escapeHtml(name)}</span><span class="about">${escapeHtml(about)}</span>${badge === '' ? '' : `<span class="badge">${escapeHtml(badge)}</span>`}</button>`
}
