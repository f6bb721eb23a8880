// One set of line icons, drawn inside the page so that nothing is fetched.

const PATHS = {
  home: 'M3 11.5 12 4l9 7.5M5.5 10v9.5h13V10M10 19.5V14h4v5.5',
  tour: 'M5 21V4h11l-1.5 3.5L16 11H5M5 21h3',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  cloud: 'M7 18.5a4.5 4.5 0 0 1-.4-9 6 6 0 0 1 11.5 1.6 3.8 3.8 0 0 1-.6 7.4z',
  check: 'M4.5 12.5l5 5 10-11',
  consent: 'M12 3l7.5 3v5.5c0 4.6-3.1 7.9-7.5 9.5-4.4-1.6-7.5-4.9-7.5-9.5V6zM8.8 12l2.3 2.3 4.2-4.6',
  link: 'M10 14a4.5 4.5 0 0 0 6.4.3l3-3a4.5 4.5 0 0 0-6.4-6.4l-1.2 1.2M14 10a4.5 4.5 0 0 0-6.4-.3l-3 3a4.5 4.5 0 0 0 6.4 6.4l1.2-1.2',
  firm: 'M4 20.5V4.5h10v16M14 9.5h6v11M2.5 20.5h19M7.5 8.5h3M7.5 12.5h3M7.5 16.5h3M17 13.5v0M17 17v0',
  support:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM6 6l3.5 3.5M14.5 14.5 18 18M18 6l-3.5 3.5M9.5 14.5 6 18',
  security: 'M6 11h12v9.5H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11M12 15v2',
  sessions: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  address:
    'M12 21s7-6.1 7-11.5A7 7 0 0 0 5 9.5C5 14.9 12 21 12 21zM12 7.5a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z',
  signOut: 'M14 4.5H5v15h9M10 12h11M17.5 8.5 21 12l-3.5 3.5',
  renew: 'M20 5v5h-5M4 19v-5h5M5.3 9.5A7.5 7.5 0 0 1 19.5 10M18.7 14.5A7.5 7.5 0 0 1 4.5 14',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  alert: 'M12 4 2.8 20h18.400zM12 10v4.5M12 17.3v.2',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5M12 8v.2',
  copy: 'M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1',
  offline:
    'M3 3l18 18M5 12.5a10 10 0 0 1 4-2.400M8.5 16a5 5 0 0 1 6.5-.3M2 8.5a15 15 0 0 1 5-3M13 5a15 15 0 0 1 9 3.5M16.5 11.200a10 10 0 0 1 2.5 1.3M12 19.5v.2',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  tools: 'M4 6h16v12H4zM8 10l2.5 2L8 14M13 14.5h3.5',
  chevron: 'M6 15l6-6 6 6',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
