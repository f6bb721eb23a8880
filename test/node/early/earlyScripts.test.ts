// The scripts of a page: which ones a config needs, how they are written, and where they stand.
import { describe, expect, it } from 'vitest'
import { openIdConnect } from '../../../src/oidc/index.ts'
import {
  type PluginConfig,
  resolveConfig,
  scriptElement,
  scriptsFor,
  withScripts,
} from '../../../src/protocol/earlyScripts.ts'

const FIRM = { authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid', 'profile'] }
const issuer = 'https://login.test'
const metadata = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
const CLEANING = { name: 'inline', attributes: {} }
const ATTRIBUTES = {
  'data-auth-host': 'https://auth.test',
  'data-client-id': 'admin',
  'data-scopes': 'openid profile',
}

describe('the scripts of a page', () => {
  it.each<[string, PluginConfig, object[]]>([
    ["the firm's server", FIRM, [{ name: 'inline', attributes: ATTRIBUTES }]],
    [
      'an address of its own, and a session that is remembered',
      { ...FIRM, redirectUri: 'https://app.test/admin/', rememberMe: true },
      [
        {
          name: 'inline',
          attributes: {
            ...ATTRIBUTES,
            'data-redirect-uri': 'https://app.test/admin/',
            'data-remember-me': 'true',
          },
        },
      ],
    ],
    [
      'an OpenID Connect provider',
      { server: openIdConnect({ issuer }), clientId: 'admin', scopes: ['openid'] },
      [
        {
          name: 'oidc',
          attributes: {
            'data-issuer': issuer,
            'data-client-id': 'admin',
            'data-discovery-url': `${issuer}/.well-known/openid-configuration`,
          },
        },
        CLEANING,
      ],
    ],
    [
      'a provider whose metadata the app brings',
      { server: openIdConnect({ issuer, metadata }), clientId: 'admin', scopes: ['openid'] },
      [CLEANING],
    ],
  ])('know the session of %s', (_what, config, scripts) => {
    expect(scriptsFor(resolveConfig(config, {}))).toStrictEqual(scripts)
  })

  it('follow the variables of the build', () => {
    const settings = resolveConfig((env) => ({ ...FIRM, clientId: env['VITE_CLIENT']! }), {
      VITE_CLIENT: 'shop',
    })
    expect(settings.clientId).toBe('shop')
  })
})

describe('a script element', () => {
  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['<script>run()</script>', 'run()', {}, undefined],
    [
      '<script nonce="N" data-a="1" data-b="2">run()</script>',
      'run()',
      { 'data-a': '1', 'data-b': '2' },
      'N',
    ],

    ['<script data-a="&lt;&lt;&amp;lt;&quot;&quot;"></script>', '', { 'data-a': '<<&lt;""' }, undefined],
  ])('is %s', (element, text, attributes, nonce) => {
    expect(scriptElement(text, attributes, nonce)).toBe(element)
  })
})

describe('the scripts stand', () => {
  it.each<[string, string]>([
    [
      'after the encoding and the comments of the head',
      '<!doctype html>\n<html lang="en"><head>\n<!-- a > b --> <meta charset="utf-8" />|\n<title>A</title></head>',
    ],
    ['at the start of a head without an encoding', '<html><head data-a="1">|<script>run()</script></head>'],
    ['in the head behind a line of a template', '{% load static %}\n<html><head>|<title>A</title>'],
    ['not in a header', '<!doctype html>|<header></header>'],
    [
      'behind the doctype of a page without a head: before it they would switch the page to quirks mode',
      '<!-- a -->\n<!DOCTYPE html>|\n<title>A</title>',
    ],
    ['behind the encoding of such a page', '<!doctype html><html lang="en">\n<meta charset="utf-8">|<body>'],
    ['at the start of a page that is a part of one', '|<div id="root"></div>'],
    ['at the start of an empty page', '|'],
  ])('%s', (_where, page) => {
    expect(withScripts(page.replace('|', ''), '<script>$&</script>')).toBe(
      page.replace('|', () => '<script>$&</script>'),
    )
  })
})
