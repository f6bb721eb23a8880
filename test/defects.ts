// Defects of the library that the tests of faults have found, each with the test that keeps it away; rows of evidence/faults.md.
import type { NamedTest } from './faults.ts'

export interface Defect {
  /** What happened to whoever met it. */
  readonly what: string
  /** What happens now. */
  readonly mended: string
  readonly tests: readonly NamedTest[]
}

export const DEFECTS: readonly Defect[] = [
  {
    what: 'a cache on the way answered GET /api/userinfo for another user, and that user’s name was shown',
    mended: 'an answer that names another userId is refused as unexpected-answer',
    tests: [['node/signIn/conformance', 'for another user is refused, as a cache on the way may give it']],
  },
  {
    what: 'of tabs whose shared record was cleared, the next to renew used a spent refresh token, and lost the session',
    mended: 'the number that says whose tokens are newer never begins anew',
    tests: [
      [
        'e2e/storage/clearedStorage',
        'all but local storage, between two renewals: both tabs go on with one token, and a reload is signed in',
      ],
    ],
  },
  {
    what: 'a renewal forced right after a sign-in did nothing: the tab’s own word to the others counted as one',
    mended: 'what a tab told itself is not taken for another tab’s renewal',
    tests: [
      ['node/tabs/tabs', 'goes to the server, however far the other tabs have been told of the sign-in'],
    ],
  },
  {
    what: 'whoever opened the app the next morning was greeted as the user of yesterday, whose idle time had ended while no page was open',
    mended: 'the shared instant of the last activity is judged before the session is taken in',
    tests: [
      [
        'node/idle/idle',
        'signs the session out that is still alive at the server, and is at no moment signed in',
      ],
      ['e2e/idle/idle', 'signs out before anything is shown, and says why'],
    ],
  },
  {
    what: 'a Retry-After that one tab was given was not obeyed by the others, and a tab that died while asking left a refresh token that was used again',
    mended: 'all tabs wait, those that open later too; a spent token stays spent',
    tests: [
      [
        'node/tabs/tabsRateLimit',
        'leaves a spent refresh token spent: after a tab that died while asking, no other tab uses its token',
      ],
      ['e2e/tabs/tabs', 'is asked by no tab before the time, not by one that opens in between either'],
    ],
  },
  {
    what: 'two of twelve sign-outs left the user on the channel for five minutes, because the last word set off another poll',
    mended: 'a sign-out stops listening first',
    tests: [
      [
        'node/uniqueSession/goodbye',
        'after the last word no poll is asked for again, and the goodbye is the end',
      ],
    ],
  },
  {
    what: 'looking at the page renewed a token of a short life again and again',
    mended: 'a look renews no earlier than planned',
    tests: [
      [
        'node/renewal/clocks',
        'looking at the page again and again renews a token of a short life no more often',
      ],
    ],
  },
  {
    what: 'a token that another tab handed over was renewed once more',
    mended: 'what was handed over counts',
    tests: [
      [
        'node/tabs/tabsRaces',
        'a token that another tab hands over while this one prepares its renewal is not renewed once more',
      ],
    ],
  },
  {
    what: 'a cache of the app that never emptied kept the user from the logout page',
    mended: 'it is awaited for five seconds',
    tests: [['node/signOut/signOut', 'that never come to an end are awaited for 5 seconds and not longer']],
  },
  {
    what: 'an address like blob:https://app… counted as one of this app',
    mended: 'addresses are compared as they are written, origin first',
    tests: [['node/signIn/origin', 'never leads away from this app']],
  },
  {
    what: 'a refused save of the link map took back a later one too',
    mended: 'it takes back only what it showed itself',
    tests: [['dom/calls/writes', 'leaves a later save in sight when an earlier one fails']],
  },
  {
    what: 'an answer that came after the last component had gone set a timer again',
    mended: 'it starts no timer, listener or channel',
    tests: [['dom/provider/provider', 'in the middle of a renewal sets no timer when the answer comes']],
  },
  {
    what: 'the life of a token was counted from when the app’s files had come, so a slow page renewed late',
    mended: 'it is counted from when the token was asked for',
    tests: [
      ['node/renewal/tokenLife', 'that the page’s first script asked for is as old as that'],
      ['node/tabs/tabChannel', 'an offer that was read late is as old as its token'],
    ],
  },
  {
    what: 'a hook that a component had taken away came back when a later one went, and ran for a component that was gone',
    mended: 'the last one set of those still there counts',
    tests: [
      ['node/session/eventHooks', 'once taken away never comes back, in whatever order they go'],
      ['dom/provider/provider', 'calls nothing of a component that is gone, in whatever order components go'],
    ],
  },
  {
    what: 'the first of two auth objects of one clientId took the record of the other, and nobody exchanged the code',
    mended: 'a record is taken by whom it is for: same server, same redirect address',
    tests: [
      ['node/startUp/startUp', 'is left to whom it is for by an auth object of the same clientId and %s'],
    ],
  },
  {
    what: 'the verifier of a sign-in that nobody came back from lay in session storage for the life of the tab',
    mended: 'the next sign-in or attempt drops what is older than ten minutes',
    tests: [
      [
        'node/startUp/startUp',
        'that never comes leaves its verifier in the storage for ten minutes, not for the life of the tab',
      ],
      [
        'node/storage/tabRecords',
        'keeps no secret when it is older than ten minutes, and not before; its answer is recognised by the rest',
      ],
    ],
  },
  {
    what: 'AuthProvider with a queryClient of its own left the hooks below without one, or with another one’s cache',
    mended: 'it is the client of everything below',
    tests: [['dom/provider/provider', 'gives its queryClient to the hooks below, %s']],
  },
  {
    what: 'a hidden frame that answered twice, or loaded after its answer, left a timer behind',
    mended: 'it is not listened to any more once it has answered',
    tests: [
      [
        'node/startUp/silentCheck',
        'leaves no timer, however often it comes and whenever its page has loaded',
      ],
    ],
  },
  {
    what: 'a worker of the editor that took longer than five seconds to load was given up for good: a text above 5 MB was never checked',
    mended: 'it is used as soon as it is there',
    tests: [
      [
        'editor/jobRunner',
        'goes back to the worker when its file has come after all, however slow the network was',
      ],
      ['editor/actions', 'checks a large text after all when the worker comes late'],
    ],
  },
  {
    what: 'in a browser without Web Locks, tabs waited 10.5 s for one that was closed while it renewed',
    mended: 'the lock is waited for 9 s, so that the whole takes 10 s at most',
    tests: [['node/tabs/tabsCrashes', 'twenty times over: nobody waits too long, nobody uses a spent token']],
  },
  {
    what: 'a tab that was opened without a session stayed signed out when somebody signed in in another tab, until it was reloaded',
    mended: 'it listens to the other tabs, and takes the session over',
    tests: [
      [
        'node/tabs/tabs',
        'reaches the tabs that were opened before it and had no session, without a request of theirs',
      ],
    ],
  },
  {
    what: 'with `latchkey/early`, a reload before the app had started led to the first page, not to where the user was before the sign-in',
    mended: 'the script puts that place into the address bar when it sends the code',
    tests: [
      ['e2e/early/earlySession', 'is signed in all the same when it is reloaded before its files have come'],
    ],
  },
  {
    what: 'closing the comparison of a long text while its differences were being found threw an error that nobody could catch',
    mended: 'what finds them is ended first',
    tests: [
      [
        'browser/editorCompare',
        'is closed at any moment, also while the differences of a long text are still being found',
      ],
    ],
  },
  {
    what: 'after a renewal that brought a newer session of the same user, real time still spoke for the old one: an older browser could end it, and the server’s own logout message could not',
    mended: 'the tab speaks as the new session, on the line that it has',
    tests: [
      [
        'node/uniqueSession/uniqueSession',
        'is ended by the server as the new session, in all its tabs, and no more as the old one',
      ],
      ['node/uniqueSession/uniqueSession', 'does not give way to a browser that signed in before it'],
      [
        'node/uniqueSession/uniqueSession',
        'stays on the connection it has: nobody sees it leave, and who listens hears on',
      ],
    ],
  },
  {
    what: 'when a part of the page that failed to start up had been taken away and put back, its retry left it loading for ever',
    mended: 'a retry goes on with whoever uses the session now, and waits for them when nobody does',
    tests: [
      ['node/startUp/startUp', 'goes on though what used the session was gone meanwhile, and came back'],
    ],
  },
  {
    what: 'with latchkey/early inline in the page, a code that did not reach the server was in the error: the stack of its cause names the address of the page, and error reporting sends stacks away',
    mended: 'such an error is made anew in a file of the library',
    tests: [['e2e/secrets/secrets', 'of an exchange that did not reach the server are in no error']],
  },
  {
    what: 'a page part that was taken away while it told the other tabs of its session left an uncaught error behind, and could join the channels for nobody',
    mended: 'what has stopped says nothing and joins nothing',
    tests: [
      ['node/tabs/tabChannel', 'when its page goes in the middle of that: nothing, and it is no error'],
    ],
  },
  {
    what: 'whoever signed out while a second tab was being handed the session was still signed in there; what it was handed could also be older than what all others had by then',
    mended: 'what has ended, or has been replaced, on its way to a tab is not taken',
    tests: [
      ['node/tabs/tabsJoining', 'signing out in another tab leaves it signed out too'],
      ['node/tabs/tabsJoining', 'a newer session of another tab is the one that it gets'],
    ],
  },
  {
    what: 'a session that the server did not know any more ended in the tab that learned of it, and went on in the others until they woke or asked themselves',
    mended: 'it ends in all tabs that share it',
    tests: [
      ['node/tabs/tabsJoining', 'ends in all tabs when one of them learns of it, for one request'],
      ['node/tabs/tabsJoining', 'ends in one tab alone where tabs cannot share'],
    ],
  },
  {
    what: 'signing out in a tab that was on its way to the sign-in page did not reach the tab that had signed in meanwhile, until that was looked at',
    mended: 'a tab that has not spoken to the others yet does so then',
    tests: [
      [
        'node/tabs/tabsJoining',
        'signing out in a tab that went to the sign-in page before reaches the tab that signed in meanwhile',
      ],
    ],
  },
  {
    what: 'of three tabs one could stay signed out beside a sign-in, because another that had nothing yet answered first; in a browser without IndexedDB the sign-in of a new page reached nobody',
    mended: 'a tab that is asked by name is waited for, and later numbers are newer there too',
    tests: [
      ['node/tabs/tabsRaces', 'a tab that was asked by name is waited for, whatever the others say'],
      [
        'node/tabs/tabsJoining',
        'where nothing can be kept for all tabs, the sign-in of a page that has just opened reaches the tabs beside it',
      ],
    ],
  },
  {
    what: 'a tab whose hidden frame was not answered stayed signed out beside a tab that had signed in while it waited',
    mended: 'a tab that the server has no session for asks the others once more',
    tests: [
      [
        'node/tabs/tabsJoining',
        'a tab whose frame never answers has the session of a tab that signed in while it waited',
      ],
    ],
  },
  {
    what: 'a page part that was taken away in the middle of a renewal left a spent refresh token to the other tabs, and the next of them used it again',
    mended: 'what nobody could hold is marked as spent, and the next tab asks the server’s own session',
    tests: [['node/tabs/tabsJoining', 'leaves its refresh token spent: no other tab uses it']],
  },
  {
    what: 'a page part that was taken away and put back while the server’s answer was on its way, and somebody else signed in between, went on as the other user with what the first one had left',
    mended: 'what was asked for before the page part went counts no more',
    tests: [['node/tabs/tabsJoining', 'the one that was asked for before dispose() counts no more']],
  },
  {
    what: 'when another user signed in in one of several tabs, the tab of the first user, which ended, took the word away that the browser has a session: tabs that opened later asked the server, and renewals were made twice',
    mended: 'it takes its own name away, and no more',
    tests: [
      [
        'node/tabs/tabsJoining',
        'after another user signed in in one of two tabs, a tab that opens is handed that session',
      ],
    ],
  },
  {
    what: 'a page part that was taken away before what a session needs had loaded left a channel between the tabs open',
    mended: 'what has stopped opens nothing',
    tests: [['node/tabs/tabsJoining', 'disposing of it leaves no channel open']],
  },
  {
    what: 'a token in the address was lost when start-up failed, as without a network: it had been taken out of the address, and the retry knew nothing of it',
    mended: 'its jti is kept until the retry',
    tests: [
      [
        'node/passthrough/passthrough',
        'is not lost when start-up fails: it goes on with the retry, from the clean address',
      ],
    ],
  },
  {
    what: 'when something took the messaging SDK’s own frame out of the page in the moment of an answer, the answer neither came nor failed: real time was deaf for ten seconds to five minutes',
    mended: 'the frame is watched, and a new client takes over within a second, from the same place',
    tests: [
      [
        'e2e/realtime/realtimeTabs',
        'a line whose SDK’s frame is disturbed in the middle of an answer heals: something %s',
      ],
    ],
  },
  {
    what: 'a renewal that was on its way while the machine slept brought a token that had expired, and it was handed out',
    mended: 'what has expired on the way is renewed before anybody gets it',
    tests: [
      [
        'node/renewal/tokenLife',
        'that was on its way while the machine slept is replaced before anybody gets it (renewal by itself: %s)',
      ],
    ],
  },
  {
    what: 'when the refresh token was dead and the server’s own session another user’s, a page stayed signed in after its token had expired, and every call failed',
    mended: 'the session ends as expired when the token held has had its time, and says why',
    tests: [
      [
        'node/renewal/renewal',
        'leaves the token held until it expires, and then ends the session as expired, saying why',
      ],
      ['node/renewal/renewal', 'a page that is looked at again after the expiry says so without being asked'],
    ],
  },
  {
    what: 'an account that was linked in a window before the first reading of its status had been answered was said not to have changed: what was so before was asked for a second time, after the change',
    mended: 'the reading that was on its way when the window opened says what was so before',
    tests: [
      [
        'dom/popups/popups',
        'is a change also when the first reading is so slow that its answer comes after the change',
      ],
    ],
  },
  {
    what: 'a start-up that was cut off and begun again, and that found out nothing itself, put a failure in the place of the session that the first one had got meanwhile, or sent the signed-in user to the sign-in page',
    mended: 'what the first one got counts, and nobody is sent away',
    tests: [['node/session/session', 'has the session that came late, even when its own %s']],
  },
  {
    what: 'a tab died in the middle of its renewal, another one that opened was handed the session, and the spent refresh token was used again with the next renewal: a strict server ends the session then',
    mended:
      'what somebody died with stays spent, whoever is handed it, until there is a newer one; and who is handed a session does not tell the others of a new one',
    tests: [
      [
        'node/tabs/tabRenewal',
        'that another tab died with leaves the refresh token spent also for who takes it over from a sibling',
      ],
      ['node/wholeSession/wholeSession', 'holds where once %s'],
    ],
  },
]
