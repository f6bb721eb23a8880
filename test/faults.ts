// Every kind of fault that breaks around a session, and the tests that show what the user sees then; evidence/faults.md is made from it.

/** A test by its file under test/, without the ending, and its name as it stands there. */
export type NamedTest = readonly [file: string, name: string]

export interface FaultRow {
  readonly id: `F${number}`
  readonly what: string
  /** At least one of them in a real browser: in e2e/ or browser/. */
  readonly tests: readonly NamedTest[]
}

export const FAULTS: readonly FaultRow[] = [
  {
    id: 'F1',
    what: 'offline at start-up',
    tests: [
      ['e2e/network/offline', 'at the start: says so without leaving the page, and goes on by itself'],
      ['node/startUp/startUp', 'nothing is opened and nobody is sent anywhere; it resumes by itself'],
    ],
  },
  {
    id: 'F2',
    what: 'offline at the click on "Sign in"',
    tests: [
      [
        'e2e/network/offline',
        'stays on the page, says why, and the same button works when the network is back',
      ],
      ['node/startUp/startUp', 'a click on sign in says so, and works again afterwards'],
    ],
  },
  {
    id: 'F3',
    what: 'offline between return and exchange',
    tests: [
      ['e2e/network/offline', 'between the return and the exchange: the code waits, and is sent once'],
      [
        'node/startUp/startUp',
        'waits for the network when it was lost on the way back, and is then exchanged',
      ],
      [
        'node/startUp/startUp',
        'is given up when the network stays away for a minute, with an offline state that recovers',
      ],
    ],
  },
  {
    id: 'F4',
    what: 'offline at renewal',
    tests: [
      [
        'e2e/network/offline',
        'at renewal: the session stays, and one renewal follows when the network is back',
      ],
      ['node/renewal/renewal', 'is tried again after 1, 2, 5, 10, 30 and then every 30 seconds'],
      ['node/renewal/renewal', 'is tried at once when the network comes back'],
      ['node/renewal/renewal', 'hands out no token once it has expired'],
    ],
  },
  {
    id: 'F5',
    what: 'offline at logout',
    tests: [
      [
        'e2e/network/offline',
        'at sign-out: signed out here at once, and at the server as soon as there is a network',
      ],
      [
        'node/signOut/signOut',
        'ends the session here at once, and the one of the server when the network is back',
      ],
    ],
  },
  {
    id: 'F6',
    what: 'a call that hangs without a byte',
    tests: [
      [
        'e2e/network/hardFaults',
        'that no answer ever brings is not waited for: after 15 seconds the user reads why',
      ],
      ['node/calls/call', 'that nobody answers is given up after 15 seconds'],
      ['node/renewal/renewal', 'is given up after 15 seconds without an answer'],
    ],
  },
  {
    id: 'F7',
    what: 'an answer that is slow or stalls in its middle',
    tests: [
      ['e2e/network/outage', 'is slow: its card shows that it is being read'],
      ['node/calls/call', 'whose answer stops in the middle is given up after 15 seconds too'],
    ],
  },
  {
    id: 'F8',
    what: 'connection reset in the body, truncated JSON',
    tests: [
      ['e2e/network/outage', '%s once: the user is signed in all the same'],
      [
        'node/startUp/startUp',
        'that the server refuses is not sent again: the frame decides, and finds the session',
      ],
      ['dom/calls/badAnswers', 'a reset in the middle'],
    ],
  },
  {
    id: 'F9',
    what: '500, 502, 503, 504',
    tests: [
      ['e2e/network/outage', '%s: the user reads why, and one click goes on when it is back'],
      ['e2e/renewal/renewal', 'tries again by itself when the server was down for a while'],
      ['dom/calls/badAnswers', '503 with half a body'],
    ],
  },
  {
    id: 'F10',
    what: '429, with and without Retry-After',
    tests: [
      ['e2e/tabs/tabs', 'is asked by no tab before the time, not by one that opens in between either'],
      [
        'node/tabs/tabsRateLimit',
        'is kept by tabs that renew by themselves: one request for eight tabs when it is over',
      ],
      ['node/renewal/renewal', 'holds back what the app asks for too'],
    ],
  },
  {
    id: 'F11',
    what: '200 with a page of a portal or proxy',
    tests: [
      ['e2e/calls/cloudAccount', 'a portal that answers everything with its page is no account'],
      ['e2e/network/outage', 'is hidden behind a login page of the network'],
      ['dom/calls/badAnswers', 'a page of a portal'],
    ],
  },
  {
    id: 'F12',
    what: '200 with nothing, null, a list, wrong keys',
    tests: [
      ['e2e/network/outage', 'answers with nothing'],
      ['dom/calls/badAnswers', 'wrong keys'],
      [
        'node/tokens/tokens',
        'whatever comes as an answer: tokens of the right types or one of the two errors, nothing else',
      ],
    ],
  },
  {
    id: 'F13',
    what: 'invalid_grant at a renewal',
    tests: [
      [
        'e2e/renewal/renewal',
        'asks for the server’s own session when the refresh token is refused, without leaving the page',
      ],
      [
        'e2e/renewal/renewal',
        'tells that the session has ended when the server ended it, and comes back to the same place',
      ],
      ['node/renewal/renewal', 'is sent once: 20 callers see one request and one frame'],
    ],
  },
  {
    id: 'F14',
    what: '401 or 403 on a call',
    tests: [
      ['e2e/renewal/renewal', 'renews once and repeats once when a call is answered with 401'],
      ['node/calls/call', '20 refused at once share one renewal'],
      ['node/calls/call', 'refused with 403 is not repeated and renews nothing'],
    ],
  },
  {
    id: 'F15',
    what: 'a frame that never answers',
    tests: [
      ['e2e/startUp/frame', 'is given up at the limit, with its exact text, and the frame is gone'],
      [
        'node/startUp/silentCheck',
        'leaves nothing behind: no frame, no timer, no listener, no stored attempt',
      ],
    ],
  },
  {
    id: 'F16',
    what: 'a frame that answers twice or late',
    tests: [
      ['e2e/network/hardFaults', 'that speaks again, and late, changes nothing'],
      [
        'node/startUp/silentCheck',
        'counts once: a second one and a late one change nothing and report nothing',
      ],
      ['node/startUp/silentCheck', 'that answers after the limit is not heard'],
    ],
  },
  {
    id: 'F17',
    what: 'messages of a wrong origin, window, state or shape',
    tests: [
      [
        'e2e/network/hardFaults',
        'hears no forged answer, neither of the page itself nor of another window of the very same server',
      ],
      [
        'e2e/calls/cloudAccount',
        'is not closed by closeMe of this page, nor of another window of the very same server',
      ],
      [
        'dom/secrets/windowMessages',
        'is answered by its own server, once, and leaves no listener: 20,000 messages',
      ],
    ],
  },
  {
    id: 'F18',
    what: 'a frame that is refused, or has no cookies',
    tests: [
      [
        'e2e/startUp/frame',
        'by %s: sign-in works by redirect, and so does a reload, which tries the frame once more after the sign-in',
      ],
      ['e2e/startUp/frame', 'signs in by redirect, and a reload ends signed in without the sign-in page'],
    ],
  },
  {
    id: 'F19',
    what: 'one code met by StrictMode, two providers, a remount',
    tests: [
      ['e2e/signIn/signIn', 'sends the code exactly once under StrictMode'],
      ['dom/provider/provider', 'with two providers on one auth object'],
      ['dom/provider/provider', 'through a remount with another key'],
    ],
  },
  {
    id: 'F20',
    what: 'two tabs with the same callback address',
    tests: [
      ['e2e/signIn/signIn', 'signs in both when %s opens the same callback address, and sends the code once'],
      ['node/startUp/startUp', 'in two tabs is exchanged by the tab that left; the other ends signed in too'],
    ],
  },
  {
    id: 'F21',
    what: 'a reload during the exchange',
    tests: [
      ['e2e/signIn/signIn', 'ends signed in at the same place when the page is reloaded during the exchange'],
    ],
  },
  {
    id: 'F22',
    what: 'the back button into the callback or the server',
    tests: [
      ['e2e/signIn/signIn', 'survives the back button: the same session, no error, no code sent twice'],
      ['node/startUp/startUp', 'used up by the back button harms nobody who has a session'],
    ],
  },
  {
    id: 'F23',
    what: 'a full storage',
    tests: [
      [
        'e2e/network/hardFaults',
        'that are full keep what others wrote, and the user reads why signing in is not possible',
      ],
      ['node/storage/tabRecords', 'full: our own older attempts give way, entries of others never'],
    ],
  },
  {
    id: 'F24',
    what: 'a denied storage',
    tests: [
      ['e2e/signIn/signIn', 'is told why signing in is not possible, and does not leave the page'],
      ['node/startUp/startUp', 'with all storages denied still works through the frame'],
    ],
  },
  {
    id: 'F25',
    what: 'a storage that is cleared in the middle',
    tests: [
      [
        'e2e/storage/clearedStorage',
        'everything, while the user is at the sign-in page: they end signed in, by three navigations at most',
      ],
      ['node/storage/tabRecords', 'cleared in the middle: what was there counts as absent'],
    ],
  },
  {
    id: 'F26',
    what: 'blocked cookies',
    tests: [
      ['e2e/startUp/frame', 'takes one redirect a reload, however often in a minute'],
      ['node/startUp/loops', 'comes back with login_required'],
    ],
  },
  {
    id: 'F27',
    what: 'a wrong clock',
    tests: [
      [
        'e2e/network/hardFaults',
        'on a computer whose clock is %s the session begins, and is renewed in time',
      ],
      ['node/renewal/clocks', 'and a lifetime of %s: every renewal in time, none too many'],
    ],
  },
  {
    id: 'F28',
    what: 'a clock that jumps',
    tests: [
      ['e2e/network/hardFaults', 'that is set back by a day in the middle of a session changes nothing'],
      ['node/tokens/tokenStore', 'not earlier when the clock is set back by a day'],
    ],
  },
  {
    id: 'F29',
    what: 'eight hours of sleep',
    tests: [
      ['e2e/idle/idle', 'signs out before anything is shown, and says why'],
      [
        'e2e/tabs/tabs',
        'renews once for each grant when all tabs wake, three times over, and uses no refresh token twice',
      ],
      [
        'dom/renewal/wakeBurst',
        'a server that is down when they wake is asked for one renewal, not for twelve, and no expired token goes out',
      ],
      [
        'node/idle/idle',
        'after a sleep past the deadline logs out, and the move that wakes the machine does not save it',
      ],
    ],
  },
  {
    id: 'F30',
    what: 'a delay that no timer can hold',
    tests: [
      ['e2e/network/hardFaults', 'of thirty days sets no timer, and can be renewed by hand'],
      ['node/renewal/renewal', 'sets no timer for more than 2147483647 ms, and is honoured at the next look'],
    ],
  },
  {
    id: 'F31',
    what: 'a lifetime that is missing or none',
    tests: [
      ['e2e/network/hardFaults', 'that is %s is renewed on demand only, and the session works'],
      ['node/tokens/tokens', 'without lifetime and without exp has no known life'],
    ],
  },
  {
    id: 'F32',
    what: 'a token of 200 KB',
    tests: [
      ['e2e/network/hardFaults', 'of 200 KB is refused at once, with its text, and the next try may succeed'],
      ['node/tokens/claims', 'is decoded just below 64 KB'],
    ],
  },
  {
    id: 'F33',
    what: 'a frozen tab, the back-forward cache',
    tests: [
      [
        'e2e/signOut/backForwardCache',
        'after a sign-out in another tab the first picture is that of a signed-out page',
      ],
      ['e2e/tabs/tabs', 'is seen by a frozen tab as soon as it thaws'],
      [
        'node/signOut/signOut',
        'a page restored from the back-forward cache after a logout shows nobody signed in',
      ],
    ],
  },
  {
    id: 'F34',
    what: 'no locks, no channels: tabs do not share; a lock or a storage that hangs',
    tests: [
      ['e2e/tabs/tabs', 'a browser without BroadcastChannel'],
      ['node/tabs/tabsWaits', 'runs when the lock is free again: the other tabs do not wait for it'],
      [
        'node/tabs/tabRenewal',
        'asks no other tab and tells none of it: two at the same time would use one refresh token',
      ],
    ],
  },
  {
    id: 'F35',
    what: 'twenty tabs at once, a rotating server, a winner that dies',
    tests: [
      [
        'e2e/tabs/tabs',
        'is closed in the middle: the next one finds the session again, and no refresh token is used twice',
      ],
      [
        'node/tabs/tabs',
        'goes on for 20 rotations in 8 tabs with one request each and without one reuse of a refresh token',
      ],
      ['node/tabs/tabsCrashes', 'when the server has rotated the token'],
    ],
  },
  {
    id: 'F36',
    what: 'a provider that goes in the middle and comes again',
    tests: [
      ['e2e/signIn/signIn', 'sends the code exactly once under StrictMode'],
      ['dom/provider/provider', 'takes every listener, timer, frame and channel with it'],
      ['dom/provider/provider', 'in the middle of a renewal sets no timer when the answer comes'],
      ['dom/provider/provider', '100 mounts and unmounts leave nothing more than one'],
    ],
  },
  {
    id: 'F37',
    what: 'a hook that throws, rejects, hangs or calls back',
    tests: [
      ['e2e/signIn/eventHooks', 'that %s keeps nobody from signing out'],
      ['e2e/signIn/eventHooks', 'that throws after the sign-in leaves the user signed in'],
      ['node/session/eventHooks', 'that fails is reported once, with the error of the app and nothing else'],
      ['node/signOut/signOut', 'that never ends is awaited for 5 seconds and not longer'],
      ['node/session/eventHooks', 'afterLogin that logs out does so, once'],
    ],
  },
  {
    id: 'F38',
    what: 'a blocked popup',
    tests: [
      ['e2e/calls/cloudAccount', 'that the browser blocks asks for a fresh click, which works'],
      [
        'dom/popups/popups',
        'that the browser blocks is an error that asks for a fresh click, and the next click may succeed',
      ],
      ['e2e/signIn/popupSignIn', 'in a window that is blocked asks before it leaves the page'],
    ],
  },
  {
    id: 'F39',
    what: 'a popup that is closed, cut off or says nothing',
    tests: [
      ['e2e/calls/cloudAccount', 'closed by hand is noticed, and the status is read again'],
      [
        'e2e/calls/cloudAccount',
        'cut off by its opener policy comes to an end, and what it brought about is shown',
      ],
      [
        'e2e/calls/cloudAccount',
        'whose last page says nothing ends with the word of its user, and the server has the last one',
      ],
      [
        'dom/popups/popups',
        'never answering: given up after ten minutes, whatever becomes of the wall clock',
      ],
      ['e2e/signIn/popupSignIn', 'in a window that is closed by hand says so, and the text stays'],
      ['e2e/signIn/popupSignIn', 'keeps every character and the focus; the server cuts off: %s'],
      ['node/signIn/popupSignIn', 'whose window only seemed to be closed still signs in'],
    ],
  },
  {
    id: 'F40',
    what: 'real time down, slow or refused',
    tests: [
      ['e2e/calls/sessions', 'refuses the token: the app works, and says that it is not live'],
      ['e2e/calls/sessions', 'does not load (%s): the app works'],
      ['node/realtime/realtimePubnub', 'when the first contact fails again and again'],
    ],
  },
  {
    id: 'F41',
    what: 'real-time messages that come twice, late, or from nobody',
    tests: [
      ['e2e/uniqueSession/uniqueSession', 'forged and foreign messages log nobody out'],
      ['node/realtime/realtimePubnub', 'that come twice are shown once, and reordered ones all arrive'],
      [
        'node/uniqueSession/presenceSession',
        'nothing but a genuine announcement does: 10,000 generated messages, and a genuine one still counts, once',
      ],
    ],
  },
  {
    id: 'F42',
    what: 'two devices that sign in at the same instant',
    tests: [
      ['e2e/uniqueSession/uniqueSession', 'of two that sign in at the same instant exactly one stays'],
      [
        'e2e/uniqueSession/uniqueSession',
        'ends the first within a second, in all its tabs, and says when and where',
      ],
      [
        'node/uniqueSession/presenceSession',
        'of five devices that sign in at the same instant exactly one stays',
      ],
      ['node/uniqueSession/presenceStateSpace', 'that sign in at the same instant'],
    ],
  },
  {
    id: 'F43',
    what: 'idle time in several tabs',
    tests: [
      ['e2e/idle/idle', 'signs every tab out, says why, and lets nobody back without a sign-in'],
      ['node/idle/idle', 'counts activity in any tab for all of them'],
    ],
  },
  {
    id: 'F44',
    what: 'an editor whose parts do not load',
    tests: [
      [
        'browser/editorFailure',
        'goes on as a textarea with faults, actions and undo, and loses nothing when the editor comes after all',
      ],
      ['editor/loading', 'gives the error when both tries fail, and asks no other origin for the part'],
    ],
  },
  {
    id: 'F45',
    what: 'a storm of toasts',
    tests: [
      [
        'browser/toaster/toasts',
        'stays at three through a thousand different texts at once, and the page answers meanwhile',
      ],
      ['dom/toaster/toastsQueue', 'keeps the errors among a thousand others'],
    ],
  },
  {
    id: 'F46',
    what: 'JSON that is huge, deep or malformed',
    tests: [
      [
        'browser/editorLife',
        'takes 10 MB: shown in part at once, in full in the editor, judged, changed and given back',
      ],
      ['editor/scan', 'agrees with JSON.parse on 200,000 broken texts'],
    ],
  },
  {
    id: 'F47',
    what: 'storages of another version, or poisoned',
    tests: [
      ['e2e/network/hardFaults', 'that somebody has poisoned are as good as empty'],
      [
        'node/storage/storagePoison',
        'without a session shows nobody signed in, and a click still signs in: 100 browsers',
      ],
    ],
  },
  {
    id: 'F48',
    what: 'a loop of redirects',
    tests: [
      ['e2e/network/hardFaults', 'is left alone after three redirects, with a reason and a button'],
      ['node/startUp/loops', '%s is left alone after three redirects in a minute at most'],
    ],
  },
  {
    id: 'F49',
    what: 'many triggers in one tick',
    tests: [
      ['e2e/calls/cloudAccount', 'asked for twice is one window'],
      ['node/startUp/startUp', 'from many places in one tick leaves once, with one attempt'],
      ['node/calls/call', '20 refused at once share one renewal'],
    ],
  },
  {
    id: 'F50',
    what: 'extensions that inject messages or remove the frame',
    tests: [
      ['e2e/network/hardFaults', 'that something takes out of the page is missed at once'],
      ['e2e/realtime/realtimeTabs', 'a line whose SDK’s frame is disturbed heals: something %s'],
      [
        'e2e/realtime/realtimeTabs',
        'a line whose SDK’s frame is disturbed in the middle of an answer heals: something %s',
      ],
      [
        'e2e/calls/sessions',
        'on their way while something takes the SDK’s own frame out of the page come all the same',
      ],
      ['node/startUp/silentCheck', 'a frame that can be seen to fail'],
    ],
  },
  {
    id: 'F51',
    what: 'a long day: a thousand renewals, a hundred mounts',
    tests: [
      ['browser/editorLife', 'leaves nothing behind after a hundred mounts: no model, no editor, no worker'],
      ['e2e/renewal/lasting', 'keeps no token in any storage, and no more than five entries of its own'],
      ['node/renewal/renewal', '500 forced renewals leave no listener, timer or frame more than one'],
      ['node/session/session', 'a hundred starts and disposes leave no listener, timer, frame or channel'],
    ],
  },
  {
    id: 'F52',
    what: 'real time that goes down again and again',
    tests: [
      ['e2e/calls/sessions', 'sent while the service was away are caught up with'],
      [
        'node/uniqueSession/presenceStateSpace',
        'when every line breaks twice for up to a minute and nothing is caught up',
      ],
      [
        'node/uniqueSession/presenceStateSpace',
        'when every line breaks twice for up to a minute and all is caught up',
      ],
      ['node/uniqueSession/presenceStateSpace', 'when everything goes wrong at once'],
      ['node/realtime/realtimeDevices', 'when the server is killed between the two sign-ins'],
    ],
  },
  {
    id: 'F53',
    what: 'a strict Content-Security-Policy with trusted types: no violation and no error but one, for a JSON text of more than 50,000 characters',
    tests: [
      ['e2e/policy/strictPolicy', 'the policy is there: a style of the page itself is refused'],
      ['e2e/policy/strictPolicy', 'sign-in, reload, renewal, a failure, a second tab and sign-out'],
      ['e2e/policy/strictPolicy', 'a sign-in that fails, and one that is cancelled'],
      ['e2e/policy/strictPolicy', 'a window of the cloud account, and its result'],
      ['e2e/policy/strictPolicy', 'without a network, and with it again'],
      ['e2e/policy/strictPolicy', 'counts down in a toast, and signs out'],
      [
        'e2e/policy/strictFlows',
        'latchkey/early, inline by its hash, signs in before the files of the app are there',
      ],
      ['e2e/policy/strictFlows', 'a link with a token signs in, and leaves a clean address'],
      [
        'e2e/policy/strictFlows',
        'the link map: thousands of users are scrolled and searched, a change meets a conflict and is saved',
      ],
      [
        'e2e/policy/strictFlows',
        'the link map as JSON, in the textarea: repaired, sorted, found in, replaced and saved',
      ],
      ['e2e/policy/strictFlows', 'a long JSON text costs one refused worker, and is checked all the same'],
      ['e2e/policy/strictFlows', 'support access and the firm: given, refused, saved'],
      ['e2e/policy/strictFlows', 'admin consent: granted in a window, and taken back'],
      ['e2e/policy/strictFlows', 'the password: changed in a window, and on the page of the server'],
      [
        'e2e/policy/strictFlows',
        'real time: messages reach two tabs, and a sign-in on a second device ends both',
      ],
      ['e2e/policy/strictFlows', 'a session handed on to another screen, and a stranger refused'],
      ['e2e/policy/strictFlows', 'a user of the other environment ends there, signed in, at the same place'],
      [
        'e2e/policy/strictFlows',
        'the link map as JSON, in the full editor with inline styles and without trusted types: repaired, sorted, found in, compared and saved',
      ],
    ],
  },
  {
    id: 'F54',
    what: 'a later file of the library that does not come',
    tests: [
      ['e2e/files/missingFiles', 'what the app’s own requests need: they fail, and work when it comes'],
      ['e2e/calls/sessions', 'does not load (%s): the app works'],
      ['node/files/missingFiles', 'the user is signed in, stays signed in and signs out'],
      ['node/files/missingFiles', 'real time that cannot be loaded is degraded, and explain() says so'],
      [
        'node/files/missingFiles',
        'an environment that cannot be looked up leaves the user where they are, and explain() says so',
      ],
    ],
  },
]
