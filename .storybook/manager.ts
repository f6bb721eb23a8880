// The frame around the stories: the demo's mark and colours.
import { addons } from 'storybook/manager-api'
import { create } from 'storybook/theming'

const MARK =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 150 32' height='32'%3E%3Crect width='32' height='32' rx='9' fill='%231f5f4f'/%3E%3Cpath d='M9 8h7a8 8 0 0 1 0 16H9z' fill='%23fff'/%3E%3Ctext x='42' y='22' font-family='system-ui,sans-serif' font-size='18' font-weight='680' fill='%231d1b17'%3Elatchkey%3C/text%3E%3C/svg%3E"

addons.setConfig({
  // Groups as folders: otherwise those without one come first, whatever the order says.
  sidebar: { showRoots: false },
  theme: create({
    base: 'light',
    brandTitle: 'latchkey, the catalogue',
    brandImage: MARK,
    colorPrimary: '#1f5f4f',
    colorSecondary: '#1f5f4f',
    appBg: '#f5f3ee',
    barSelectedColor: '#1f5f4f',
    textColor: '#1d1b17',
    appBorderColor: '#e2dccf',
  }),
})
