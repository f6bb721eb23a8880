// Checks the domain of an administrator's consent.
import { invalidArgument } from '../sessionErrors.ts'

/** Returns the domain if consent can be given for it. @throws AuthError `invalid-argument` */
export function checkDomain(domain: unknown): string {
  const isDomain = typeof domain === 'string' && /^[^\s/\\?#@:%\u0000-\u001f]{1,253}$/.test(domain)
  if (!isDomain) throw invalidArgument('domain is not a domain name', 'Pass a name like firm.example.')
  return domain
}
