// What an administrator does in Keycloak, by its admin API.
import { PASSWORD, type RunningServer } from '../server.ts'

export type Admin = ReturnType<typeof adminAt>

/** The path is below `/admin/realms`. Resolves with what was found, or with the id of what was made. */
export const adminAt =
  (base: string) =>
  async <Found = { id: string }>(method: string, path: string, body?: unknown): Promise<Found> => {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'root', password: PASSWORD }
    const asked = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const { access_token } = (await asked.json()) as { access_token: string }
    const response = await fetch(`${base}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const id = response.headers.get('location')?.split('/').at(-1)
    return (id ? { id } : text && JSON.parse(text)) as Found
  }

export const adminOf = ({ options }: RunningServer): Admin => adminAt(new URL(options.issuer).origin)

export async function adaOf(admin: Admin, realm: string): Promise<string> {
  const [found] = await admin<{ id: string }[]>('GET', `/${realm}/users?exact=true&username=ada`)
  return found!.id
}
