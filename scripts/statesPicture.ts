// Draws the states of a session, for pages that do not draw Mermaid themselves: npm's, and a README anywhere.
export const STATES_PICTURE = 'docs/images/states.svg'

interface Box {
  readonly name: string
  readonly x: number
  readonly y: number
}

const WIDTH = 168
const HEIGHT = 44
const BOXES: readonly Box[] = [
  { name: 'initializing', x: 60, y: 40 },
  { name: 'failed', x: 60, y: 232 },
  { name: 'authenticated', x: 516, y: 40 },
  { name: 'unauthenticated', x: 516, y: 232 },
  { name: 'redirecting', x: 288, y: 362 },
]

/** What leads from one to another: the line, its words, and where they stand. */
const WAYS: readonly {
  readonly path: string
  readonly words: readonly string[]
  readonly x: number
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
}[] = [
  { path: 'M 20 62 H 52', words: [], x: 0, y: 0 },
  {
    path: 'M 228 54 H 508',
    words: ['a code, another tab, the hidden frame'],
    x: 368,
    y: 44,
  },
  {
    path: 'M 228 76 C 360 96 420 150 520 226',
    words: ['nobody is signed in'],
    x: 420,
    y: 148,
    anchor: 'start',
  },
  { path: 'M 124 84 V 224', words: ['out of reach'], x: 114, y: 158, anchor: 'end' },
  { path: 'M 164 232 V 92', words: ['retry()'], x: 174, y: 190, anchor: 'start' },
  { path: 'M 196 84 C 216 200 250 280 320 354', words: ['auto-login'], x: 256, y: 262, anchor: 'start' },
  { path: 'M 600 84 V 224', words: ['ended elsewhere'], x: 610, y: 158, anchor: 'start' },
  { path: 'M 560 276 C 540 330 510 360 464 376', words: ['login()'], x: 548, y: 342, anchor: 'start' },
  {
    path: 'M 684 70 C 790 120 780 430 464 392',
    words: ['logout(), idle,', 'session clash'],
    x: 716,
    y: 346,
    anchor: 'start',
  },
]

const box = ({ name, x, y }: Box) =>
  `<rect class="box" x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="10"/>` +
  `<text class="name" x="${x + WIDTH / 2}" y="${y + HEIGHT / 2 + 5}">${name}</text>`

const way = ({ path, words, x, y, anchor = 'middle' }: (typeof WAYS)[number]) =>
  `<path class="way" d="${path}"/>` +
  words
    .map(
      (line, at) =>
        `<text class="word" style="text-anchor:${anchor}" x="${x}" y="${y + at * 17}">${line}</text>`,
    )
    .join('')

export function drawStates(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 430" role="img" aria-labelledby="title what">
<title id="title">States of a session</title>
<desc id="what">The five states and what leads from one to another.</desc>
<style>
svg { background: #fff; font-family: system-ui, sans-serif }
text { fill: #1f2937; font-size: 14px }
.name { font-size: 16px; font-weight: 600; text-anchor: middle }
.box { fill: #eef2ff; stroke: #4f46e5; stroke-width: 1.5 }
.way { fill: none; stroke: #6b7280; stroke-width: 1.5; marker-end: url(#tip) }
.tip { fill: #6b7280 }
@media (prefers-color-scheme: dark) {
svg { background: #0f172a }
text { fill: #e5e7eb }
.box { fill: #1e1b4b; stroke: #a5b4fc }
.way { stroke: #9ca3af }
.tip { fill: #9ca3af }
}
</style>
<defs><marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0 10 5 0 10z"/></marker></defs>
<circle class="tip" cx="16" cy="62" r="6"/>
${WAYS.map(way).join('\n')}
${BOXES.map(box).join('\n')}
</svg>
`
}
