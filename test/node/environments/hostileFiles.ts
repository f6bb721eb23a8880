// Redirections files that nobody wrote for us: broken, foreign, huge, poisoned, or leading to a stranger's server.

type Json = Record<string, unknown>

const AUTH = 'https://eu-auth.firm.test'
const rule = (more: Json = {}): Json => ({
  criteria: { firmId: ['f9'] },
  applications: ['admin'],
  authHost: 'https://us-auth.firm.test',
  // Not the one the page is under: the user would be there already.
  topLevelDomain: 'com',
  ...more,
})
const file = (more: Json = {}): Json => ({
  topLevelDomains: ['test', 'com'],
  environments: [rule()],
  environmentVariables: { prefixMappings: { eu: 'eu', us: 'us' } },
  ...more,
})

const values: readonly unknown[] = [null, 0, 1, true, '', 'x', [], [[]], [null], [1], {}, { a: 1 }]
const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const broken: [string, string][] = [
  '',
  ' ',
  'null',
  '0',
  'true',
  '"text"',
  '[]',
  '{}',
  '[{}]',
  '{',
  '}',
  '{"topLevelDomains":',
  'undefined',
  'NaN',
  "{'a':1}",
  '<!doctype html><h1>Not here</h1>',
  '/* */ {}',
  '{} {}',
  '\u0000',
  '\ufffe{}',
  ")]}',\n{}",
  'callback({})',
  '{"a":1,}',
  `${JSON.stringify(file())}x`,
  '['.repeat(50_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
].map((text, index) => [`broken ${index}: ${text.slice(0, 20)}`, text])

const wrongMembers: [string, string][] = [
  ...values
    .filter((value) => !isList(value))
    .map((value) => ['topLevelDomains', file({ topLevelDomains: value })]),
  // An empty list of rules is a file without rules: it moves nobody either.
  ...values.map((value) => ['environments', file({ environments: value })]),
  ...values.map((value) => ['environmentVariables', file({ environmentVariables: value })]),
  ...values
    .filter((value) => JSON.stringify(value) !== '{}')
    .map((value) => ['prefixMappings', file({ environmentVariables: { prefixMappings: value } })]),
  ...values.map((value) => [
    'a prefix',
    file({ environmentVariables: { prefixMappings: { eu: 'eu', us: value } } }),
  ]),
  ...(['criteria', 'applications', 'authHost', 'topLevelDomain'] as const).flatMap((name) =>
    values
      .filter((value) => !(name === 'topLevelDomain' && typeof value === 'string'))
      .map((value) => [name, file({ environments: [rule({ [name]: value })] })]),
  ),
  ...values
    .filter((value) => !isList(value) || (value as unknown[]).length === 0)
    .map((value) => ['a criterion', file({ environments: [rule({ criteria: { firmId: value } })] })]),
  ...['topLevelDomains', 'environments', 'environmentVariables'].map((name) => [
    `no ${name}`,
    file({ [name]: undefined }),
  ]),
  ...['criteria', 'applications', 'authHost', 'topLevelDomain'].map((name) => [
    `no ${name}`,
    file({ environments: [rule({ [name]: undefined })] }),
  ]),
  ['one bad rule among good ones', file({ environments: [rule(), rule({ authHost: 'nowhere' })] })],
].map(([what, value], index) => [`${what as string} ${index}`, JSON.stringify(value)])

const strangers: [string, string][] = [
  'https://evil.test',
  'https://us-auth.evil.test',
  'https://us-auth.firm.test.evil.test',
  'https://us-auth.firm.evil',
  'https://us-firm.test',
  'https://eu-firm.test',
  'http://us-auth.firm.test',
  'https://us-auth.firm.test:444',
  'https://user@us-auth.firm.test',
  'https://us-auth.firm.test@evil.test',
  'https://us-auth.firm.test\\@evil.test',
  'https://us-auth.firm.test/path',
  'https://us-auth.firm.test?x',
  'https://us-auth.firm.test#x',
  'https://us-auth.firm.test.',
  '//us-auth.firm.test',
  'us-auth.firm.test',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://us-auth.firm.test/1',
  'file:///',
  'ws://us-auth.firm.test',
  'https://127.0.0.1',
  'https://[::1]',
  'https://0x7f.1',
  'http://localhost',
  'http://127.0.0.1:1',
  'https://us-auth。evil.test',
  'https://us-auth.fırm.test',
  'https://аuth.firm.test',
  'https://us-auth.firm.test\u0000',
  ' https://us-auth.firm.test',
  'https://us-auth.firm.test\n',
  'https://ap-auth.firm.test',
  'https://us-auth-firm.test',
  'https://auth.us-firm.test',
  'https://us_auth.firm.test',
  'https://-auth.firm.test',
  'https://us--auth.firm.test',
].map((authHost) => [`to ${authHost}`, JSON.stringify(file({ environments: [rule({ authHost })] }))])

const widened: [string, string][] = [
  [['firm.test', 'evil.test'], {}, 'https://eu-auth.evil.test'],
  [['test', 'evil.test'], {}, 'https://eu-auth.firm.evil.test'],
  [['', '.', 'test'], {}, 'https://evil.test'],
  [['*', '[a-z]+', '.*'], {}, 'https://eu-auth.firm.evil'],
  [['test'], { a: 'eu-auth.firm', b: 'evil' }, 'https://evil.test'],
  [['test'], { a: 'eu-auth', b: 'evil-auth' }, 'https://evil-auth-firm.test'],
  [['test'], { a: 'eu', b: 'evil', c: 'auth.firm' }, 'https://evil-auth.firm2.test'],
  [['test'], { a: '', b: '.' }, 'https://evil.firm2.test'],
  [['test'], { a: '(a+)+$', b: '(x|x)*y' }, `https://${'a'.repeat(60)}.evil.test`],
  [['test'], { __proto__: 'evil' }, 'https://evil-auth.firm3.test'],
].map(([topLevelDomains, prefixMappings, authHost], index) => [
  `widened ${index}`,
  JSON.stringify(
    file({ topLevelDomains, environmentVariables: { prefixMappings }, environments: [rule({ authHost })] }),
  ),
])

const poisoned: [string, string][] = [
  '{"__proto__":{"polluted":1},"topLevelDomains":["test"],"environments":[],"environmentVariables":{"prefixMappings":{}}}',
  `{"constructor":{"prototype":{"polluted":1}},${JSON.stringify(file({ environments: [] })).slice(1)}`,
  `{"topLevelDomains":["test"],"environments":[{"criteria":{"__proto__":["f9"]},"applications":["admin"],"authHost":"https://us-auth.firm.test","topLevelDomain":"test"}],"environmentVariables":{"prefixMappings":{"us":"us","eu":"eu"}}}`,
  `{"topLevelDomains":["test"],"environments":[{"__proto__":{"criteria":{"firmId":["f9"]},"applications":["admin"],"authHost":"https://us-auth.firm.test","topLevelDomain":"test"}}],"environmentVariables":{"prefixMappings":{"us":"us","eu":"eu"}}}`,
  '{"__proto__":{"topLevelDomains":["test"],"environments":[],"environmentVariables":{"prefixMappings":{}}}}',
].map((text, index) => [`poisoned ${index}`, text])

const patterns: [string, string][] = [
  '.*',
  '^f9$',
  'f9|x',
  'f.',
  '/f9/',
  '(?:f9)',
  'f9*',
  'F9',
  ' f9',
  'f9\u0000',
  'ｆ9',
  '${firmId}',
  '{{firmId}}',
  '*',
].map((value) => [
  `criterion ${value}`,
  JSON.stringify(file({ environments: [rule({ criteria: { firmId: [value] } })] })),
])

const huge: [string, string][] = [
  ['over 256 KB', JSON.stringify(file({ filler: 'x'.repeat(262_144) }))],
  ['over 256 KB of blanks', `${' '.repeat(262_144)}${JSON.stringify(file())}`],
  [
    'a long value',
    JSON.stringify(file({ environments: [rule({ criteria: { firmId: ['f9', 'x'.repeat(1001)] } })] })),
  ],
  ['our own server', JSON.stringify(file({ environments: [rule({ authHost: AUTH })] }))],
  ['another app', JSON.stringify(file({ environments: [rule({ applications: ['ADMIN', 'admin ', '*'] })] }))],
]

/** Each with what is wrong with it. */
export const hostileFiles: readonly (readonly [what: string, text: string])[] = [
  ...broken,
  ...wrongMembers,
  ...strangers,
  ...widened,
  ...poisoned,
  ...patterns,
  ...huge,
]
