// Encrypts the session in an idle moment, leaves it to the next page of the tab, and decrypts it there; loads later.
import {
  type Granted,
  parseCredentials,
  type Tokens,
  writeCredentials,
} from '../../../protocol/credentials.ts'
import { fingerprint } from '../../../protocol/identity.ts'
import { keyIn, parseLeft, withKeyOf } from '../../../protocol/leftSession.ts'
import { leftSessionKey } from '../../../protocol/storageKeys.ts'
import { browserTabName } from '../../platform/browserLater.ts'
import { ALGORITHM, fromBase64, toBase64 } from '../../platform/browserTabs.ts'
import type { Context } from '../../context.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import { endWith } from '../../signedIn/lifecycle.ts'
import type { TokenRefresh } from '../../signedIn/tokenRefresh.ts'
import type { OtherTabs } from '../../tabs/otherTabs.ts'

export interface BetweenPagesParts {
  credentials(): Granted | undefined
  refresh: Pick<TokenRefresh, 'isRunning'>
  otherTabs: Pick<OtherTabs, 'open' | 'expect'>
  send: SendEvent
  /** Checks the session at the server, as after a wake. */
  checkSession(): void
}

/** Runs until the signal is aborted: then removes what it has left. */
export function leave(
  context: Context,
  { credentials, refresh, otherTabs, send }: BetweenPagesParts,
  signal: AbortSignal,
): void {
  const { settings, platform, store, tokens, server, marker, record } = context
  const { subtle } = platform.crypto
  const { sessionStorage, tabName = browserTabName } = platform
  if (!subtle) return
  const storageKey = leftSessionKey(settings)
  const client = fingerprint(storageKey)
  let ready: { sealed: string; key: string } | undefined
  /** The tokens that are sealed, or about to be. */
  let sealedFor: string | undefined
  const idOf = ({ accessToken, refreshToken = '' }: Tokens) => `${accessToken} ${refreshToken}`

  /** False if the app has named its tab, or another page has opened it. */
  const setKey = (key?: string): boolean => {
    const name = tabName.get()
    const next = name === undefined ? undefined : withKeyOf(name, client, key)
    if (next !== undefined) tabName.set(next)
    return next !== undefined
  }
  /** A new key each time: the IV is fixed. */
  const seal = async (granted: Granted) => {
    const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
    const text = new TextEncoder().encode(writeCredentials(granted))
    const sealed = toBase64(await subtle.encrypt(ALGORITHM, key, text))
    return { sealed, key: toBase64(await subtle.exportKey('raw', key)) }
  }
  const prepare = () => {
    const { current } = tokens
    if (!current || sealedFor === idOf(current)) return
    const wanted = idOf(current)
    sealedFor = wanted
    ready = undefined
    const held = credentials()
    // Tokens bound to a DPoP key are useless without it, and it is not extractable.
    if (!held || server.known()?.binding?.keyOf(held) !== undefined) return
    seal(held).then(
      (sealed) => {
        if (!signal.aborted && sealedFor === wanted && setKey(sealed.key)) ready = sealed
      },
      () => {},
    )
  }
  const goAway = () => {
    const held = credentials()
    // During a renewal the refresh token may be spent before any page has the next. On the way to the server nothing is left.
    if (!ready || !held || refresh.isRunning() || store.state.status !== 'authenticated') return
    if (sealedFor !== idOf(held) || keyIn(tabName.get() ?? '', client) !== ready.key) return
    const left = {
      sealed: ready.sealed,
      asked: settings.asked,
      leftAtMs: platform.now(),
      generation: otherTabs.open()?.generation() ?? 0,
      sentAtMs: held.sentAtMs,
    }
    sessionStorage.set(storageKey, JSON.stringify(left))
  }
  /** Back from the bfcache: a later page of this tab may have renewed, and has left its tokens. */
  const comeBack = async () => {
    const text = sessionStorage.get(storageKey)
    const name = tabName.get()
    sessionStorage.remove(storageKey)
    const found = text && name ? await openLeft(context, { text, name }).catch(() => undefined) : undefined
    if (signal.aborted) return
    const counting = record.now()
    const counts = found && counting && marker.isThere() && record.countsOffered(found, counting)
    if (counts && otherTabs.open()?.adopt(found)) await send({ type: 'adopted', granted: found })
    sealedFor = undefined
    prepare()
  }

  endWith(signal, [
    platform.on('pagehide', goAway),
    platform.on('restored', () => void comeBack()),
    store.subscribe(prepare),
    () => sessionStorage.remove(storageKey),
    setKey,
  ])
  prepare()
}

/** `undefined` if it is too old, or there is no key. @throws Error for a wrong key */
export async function openLeft(
  { settings, platform, server }: Context,
  { text, name }: { text: string; name: string },
): Promise<Granted | undefined> {
  const left = parseLeft(text, { asked: settings.asked, nowMs: platform.now() })
  const key = keyIn(name, fingerprint(leftSessionKey(settings)))
  const { subtle } = platform.crypto
  if (!left || key === undefined || !subtle) return undefined
  const opener = await subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['decrypt'])
  const opened = await subtle.decrypt(ALGORITHM, opener, fromBase64(left.sealed))
  const found = parseCredentials(new TextDecoder().decode(opened), server.restore)
  const { generation, sentAtMs } = left
  return { ...found, generation, sentAtMs }
}
