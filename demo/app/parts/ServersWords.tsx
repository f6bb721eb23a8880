// Why the sign-in page has sent the user back, in its own words. Neither a user who turned back nor a refusal is a fault of this page.
export function ServersWords({ body }: { body: unknown }) {
  const { error_description: words } = (body ?? {}) as { error_description?: unknown }
  if (typeof words !== 'string') return undefined
  return <p className="notice">The sign-in page says: {words}</p>
}
