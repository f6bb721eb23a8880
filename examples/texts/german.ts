// Every text of latchkey in German: pass the first to createAuth as `messages`, the second to JsonEditor.
import type { Message, MessageName } from 'latchkey'
import type { EditorMessages, FaultSentence, JsonFaultCode, SchemaKeyword } from 'latchkey/editor'

export const GERMAN: Readonly<Record<MessageName, Message>> = {
  idleCountdown: 'Sie werden in {seconds} s abgemeldet, weil hier länger nichts geschehen ist.',
  idleStay: 'Angemeldet bleiben',
  sessionEnding:
    'Ihre Sitzung endet in {seconds} s. Speichern Sie Ihre Arbeit; danach können Sie sich neu anmelden.',
  idleSignedOut: 'Sie wurden abgemeldet, weil länger nichts geschehen war.',
  sessionClash: ({ browser, time }) =>
    `Sie wurden hier abgemeldet, weil Sie sich mit einem anderen Browser angemeldet haben (${browser ? `${browser}, ` : ''}${time}).`,
  signedOutElsewhere: 'Sie haben sich in einem anderen Tab abgemeldet.',
  otherUser: 'Mit diesem Browser hat sich jemand anderes angemeldet; Sie wurden daher abgemeldet.',
  otherUsersLink: 'Dieser Link war für einen anderen Benutzer bestimmt.',
  sessionEnded: 'Ihre Sitzung ist beendet.',
  signedOutOffline: 'Sie sind hier abgemeldet. Der Server erfährt es, sobald Sie wieder online sind.',
  logoutFailed: 'Sie sind hier abgemeldet, aber der Server konnte nicht benachrichtigt werden.',
  forbidden: 'Sie dürfen diese Seite nicht sehen.',
  signedOut: 'Sie sind abgemeldet.',
  notSignedIn: 'Sie sind nicht angemeldet.',
  signIn: 'Anmelden',
  signInFailed: 'Die Anmeldung hat nicht geklappt',
  signInHere: 'Stattdessen hier anmelden',
  closeWindow: 'Sie können dieses Fenster schließen.',
  signInAgain: 'Ihre Sitzung ist beendet',
  signInAgainKeeps: 'Melden Sie sich wieder an, um Ihren Text zu behalten.',
  signInWindow: 'Melden Sie sich in dem geöffneten Fenster an. Diese Seite wartet auf Sie.',
  showWindow: 'Fenster zeigen',
  signInPage: 'Diese Seite verlassen und anmelden',
  tryAgain: 'Erneut versuchen',
  whatHappened: 'Was geschehen ist',
  tryingAgainIn: 'Neuer Versuch in {seconds} s.',
  offline: 'Sie sind offline. Änderungen können jetzt nicht gespeichert werden.',
  backOnline: 'Sie sind wieder online.',
  errorOffline: 'Das ging nicht, weil Sie offline sind.',
  errorNetwork: 'Der Server war nicht erreichbar.',
  errorTimeout: 'Der Server hat zu lange gebraucht.',
  errorBusy: 'Der Server ist ausgelastet. Warten Sie einen Moment.',
  errorConflict:
    'Das hat inzwischen jemand anders geändert. Sehen Sie sich die Änderung an und speichern Sie dann noch einmal.',
  errorForbidden: 'Das dürfen Sie nicht.',
  errorNotAccepted: 'Der Server akzeptiert Ihre Anmeldung nicht.',
  errorNotSignedIn: 'Ihre Sitzung ist beendet. Melden Sie sich an, um weiterzumachen.',
  errorPopupBlocked: 'Ihr Browser hat das Fenster blockiert. Erlauben Sie Fenster dieser Website.',
  errorPopupClosed: 'Das Fenster wurde geschlossen, bevor sich etwas geändert hat.',
  errorSessionKept:
    'Die Anmeldeseite hat die Sitzung noch, die Sie hier beendet haben. Melden Sie sich noch einmal an, um mit ihr weiterzuarbeiten.',
  errorStorage: 'Ihr Browser lässt diese Website nichts speichern; so ist keine Anmeldung möglich.',
  errorRedirectLoop: 'Die Anmeldung wurde mehrmals nacheinander ohne Erfolg versucht.',
  errorAnswer: 'Die Antwort des Servers war nicht lesbar.',
  errorNotFound: 'Das gibt es nicht mehr.',
  errorInvalid: 'Etwas daran ist nicht gültig. Berichtigen Sie es und versuchen Sie es noch einmal.',
  errorTooLarge: 'Das ist zu groß für den Server.',
  errorDenied: 'Die Anmeldung wurde abgebrochen oder abgelehnt.',
  errorUnconfirmed: 'Ihre Sitzung ließ sich nicht bestätigen. Vielleicht müssen Sie sich neu anmelden.',
  errorClock: 'Die Uhr dieses Geräts geht falsch. Stellen Sie sie richtig.',
  errorNotSupported: 'Das gibt es hier nicht.',
  errorStepUp: 'Dafür müssen Sie sich noch einmal oder stärker anmelden.',
  errorSwitch: 'Der Wechsel zu dieser Organisation ging nicht.',
  errorSetup: 'Diese App ist nicht richtig eingerichtet. Sagen Sie es denen, die sie betreiben.',
  errorBrowser:
    'In diesem Browser ist keine Anmeldung möglich. Aktualisieren Sie ihn, oder nehmen Sie einen anderen.',
  errorAddress: 'Diese Adresse ist nicht erlaubt.',
  errorOther: 'Das hat nicht geklappt.',
  toasts: 'Benachrichtigungen',
  closeToast: 'Schließen: {text}',
  closeToasts: 'Alle schließen',
  waitingToasts: ({ count }) => (Number(count) === 1 ? 'Eine weitere Meldung' : `${count} weitere Meldungen`),
}

/** The types of a schema. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'eine Liste',
  boolean: 'true oder false',
  integer: 'eine ganze Zahl',
  null: 'null',
  number: 'eine Zahl',
  object: 'ein Objekt',
  string: 'ein Text',
}

type Fault = Parameters<FaultSentence>[0]
/** What stands in the text: an object or a list by its name, anything else as it is. */
const foundIn = ({ found, foundType }: Fault) => TYPES[foundType] ?? found
/** The same at the beginning of a sentence; what stands in the text is written as it stands there. */
const beginWith = (fault: Fault) => (fault.foundType ? foundIn(fault).replace(/^e/, 'E') : foundIn(fault))
const oneOf = (names: readonly string[]) => new Intl.ListFormat('de', { type: 'disjunction' }).format(names)

/** What a text is, or lacks, that differs from its schema. */
const SCHEMA: Record<SchemaKeyword, FaultSentence> = {
  additionalItems: () => 'Hier ist kein weiteres Element erlaubt',
  additionalProperties: ({ key }) => `Der Schlüssel ${key} ist hier nicht erlaubt`,
  anyOf: (fault) => `${beginWith(fault)} passt zu keiner der Möglichkeiten`,
  const: (fault) => `Muss ${fault.expected} sein, nicht ${foundIn(fault)}`,
  contains: () => 'Kein Element ist so, wie die Liste eines enthalten muss',
  dependencies: ({ key }) => `Der Schlüssel ${key} fehlt: ein anderer Schlüssel braucht ihn`,
  dependentRequired: ({ key }) => `Der Schlüssel ${key} fehlt: ein anderer Schlüssel braucht ihn`,
  enum: (fault) =>
    fault.allowed.length > 0
      ? `Muss ${oneOf(fault.allowed)} sein, nicht ${foundIn(fault)}`
      : 'Hier ist nichts erlaubt',
  exclusiveMaximum: ({ expected, found }) => `Muss kleiner als ${expected} sein, nicht ${found}`,
  exclusiveMinimum: ({ expected, found }) => `Muss größer als ${expected} sein, nicht ${found}`,
  false: () => 'Hier ist nichts erlaubt',
  format: ({ expected, found }) => `${found} hat nicht das Format ${expected}`,
  items: () => 'Hier ist kein weiteres Element erlaubt',
  maxContains: ({ expected }) => `Zu viele Elemente einer Art: höchstens ${expected}`,
  maxItems: ({ expected }) => `Höchstens ${expected} ${expected === '1' ? 'Element' : 'Elemente'}`,
  maxLength: ({ expected }) => `Höchstens ${expected} Zeichen`,
  maxProperties: ({ expected }) => `Höchstens ${expected} Schlüssel`,
  maximum: ({ expected, found }) => `Darf höchstens ${expected} sein, nicht ${found}`,
  minContains: ({ expected }) => `Zu wenige Elemente einer Art: mindestens ${expected}`,
  minItems: ({ expected }) => `Mindestens ${expected} ${expected === '1' ? 'Element' : 'Elemente'}`,
  minLength: ({ expected }) => `Mindestens ${expected} Zeichen`,
  minProperties: ({ expected }) => `Mindestens ${expected} Schlüssel`,
  minimum: ({ expected, found }) => `Muss mindestens ${expected} sein, nicht ${found}`,
  multipleOf: ({ expected, found }) => `${found} ist kein Vielfaches von ${expected}`,
  not: (fault) => `${beginWith(fault)} ist durch das Schema ausgeschlossen`,
  oneOf: (fault) => `${beginWith(fault)} passt zu ${fault.expected} Möglichkeiten, es muss genau eine sein`,
  pattern: ({ expected, found }) => `${found} passt nicht zu ${expected}`,
  patternProperties: ({ key }) => `Der Schlüssel ${key} ist hier nicht erlaubt`,
  prefixItems: () => 'Hier ist kein weiteres Element erlaubt',
  properties: ({ key }) => `Der Schlüssel ${key} ist hier nicht erlaubt`,
  propertyNames: ({ key }) => `Der Schlüssel ${key} ist hier nicht erlaubt`,
  required: ({ key }) => `Der Schlüssel ${key} fehlt`,
  type: (fault) =>
    `Muss ${oneOf(fault.allowed.map((type) => TYPES[type] ?? type))} sein, nicht ${foundIn(fault)}`,
  unevaluatedItems: () => 'Hier ist kein weiteres Element erlaubt',
  unevaluatedProperties: ({ key }) => `Der Schlüssel ${key} ist hier nicht erlaubt`,
  uniqueItems: () => 'Zwei Elemente sind gleich',
}

const FAULTS: Record<JsonFaultCode, FaultSentence> = {
  'byte-order-mark': () => 'Bytereihenfolge-Markierung vor dem Text: JSON muss ohne sie beginnen',
  comment: () => 'Kommentare gehören nicht zu JSON',
  'control-character': ({ detail }) =>
    detail === '000A'
      ? 'Zeilenumbruch in einem Text: schreiben Sie ihn als \\n'
      : `Steuerzeichen U+${detail} in einem Text: schreiben Sie es als \\u${detail}`,
  'duplicate-key': ({ detail, related, relatedColumn }) =>
    `Doppelter Schlüssel ${detail}: steht schon in Zeile ${related}, Spalte ${relatedColumn}, der letzte gilt`,
  empty: () => 'Noch nichts hier: JSON braucht einen Wert',
  'extra-text': () => 'Text nach dem Ende des JSON',
  incomplete: ({ detail, count, found }) =>
    ({
      deep: 'Zu tief geschachtelt, um nach dem Schema geprüft zu werden',
      long: 'Die Prüfung des Schemas hat zu lange gedauert',
      pattern: `Das Schema wird ohne Muster geprüft, die auf dieser Seite zu lange dauern könnten: ${found}`,
      large: 'Zu groß, um nach dem Schema geprüft zu werden',
      many: `${count} Abweichungen vom Schema; die ersten stehen hier`,
      reference: `Geprüft ohne das, worauf das Schema anderswo verweist: ${found}`,
    })[detail] ?? `Das Schema ist nicht brauchbar: ${found}`,
  'invalid-escape': ({ detail }) => `Ungültige Ersetzung ${detail} in einem Text`,
  'invalid-number': ({ detail }) => `${detail} ist keine JSON-Zahl`,
  'invalid-word': ({ detail }) =>
    `Unbekanntes Wort ${detail}: Text braucht gerade Anführungszeichen, andere Wörter sind true, false und null`,
  'mismatched-bracket': ({ detail, related }) =>
    `${detail} schließt nicht die Klammer, die in Zeile ${related} geöffnet wurde`,
  'missing-bracket': ({ detail, related }) =>
    '{['.includes(detail)
      ? `Vor dieser Stelle fehlt ${detail}`
      : `${detail} fehlt: die Klammer aus Zeile ${related} ist nicht geschlossen`,
  'missing-colon': () => 'Nach dem Schlüssel fehlt ein Doppelpunkt',
  'missing-comma': ({ detail }) => `Vor ${detail} fehlt ein Komma`,
  'missing-key': ({ detail }) => `Vor ${detail} fehlt ein Schlüssel`,
  'missing-value': () => 'Hier fehlt ein Wert',
  schema: (fault) => SCHEMA[fault.keyword as SchemaKeyword]?.(fault) ?? fault.detail,
  'too-large': () => 'Zu groß für die Prüfung; Sie können weiter bearbeiten und speichern',
  'trailing-comma': () => 'Überzähliges Komma: danach kommt nichts',
  'unclosed-string': () => 'Der Text wird nicht geschlossen',
  'unescaped-quote': () => 'Anführungszeichen im Text: schreiben Sie \\"',
  'unexpected-bracket': ({ detail }) => `${detail} schließt nichts`,
  'unexpected-character': ({ detail }) => `Unerwartetes Zeichen ${detail}`,
  'unexpected-end': ({ count }) =>
    count === 1
      ? 'Unerwartetes Ende: eine Klammer ist offen'
      : `Unerwartetes Ende: ${count} Klammern sind offen`,
  'unexpected-word': ({ detail }) => `${detail} gehört nicht hierher`,
  'unquoted-key': ({ detail }) => `Der Schlüssel ${detail} braucht gerade Anführungszeichen`,
  'unsafe-number': ({ detail }) =>
    `${detail} ist größer oder genauer, als JavaScript rechnet: Einlesen ändert die Zahl`,
  'wrong-quotes': () => 'JSON braucht gerade doppelte Anführungszeichen (")',
}

export const GERMAN_EDITOR: Required<EditorMessages> = {
  name: 'JSON',
  loading: 'Der volle Editor wird geladen; Sie können schon schreiben.',
  failed: 'Der volle Editor ließ sich nicht laden. Sie können hier weiterarbeiten: nichts ist verloren.',
  forbidden: (policy) =>
    `Die Content Security Policy der Seite lässt den vollen Editor nicht zu: er braucht ${policy}. Sie können hier weiterarbeiten: nichts ist verloren.`,
  retry: 'Editor erneut laden',
  preview: 'Dies ist der Anfang eines großen Textes. Der volle Editor öffnet ihn ganz.',
  toolbar: 'JSON-Befehle',
  more: 'Mehr',
  format: 'Formatieren',
  compact: 'Verdichten',
  sortKeys: 'Schlüssel sortieren',
  repair: 'Reparieren',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  find: 'Suchen',
  wrap: 'Umbrechen',
  compare: 'Vergleichen',
  copy: 'Kopieren',
  download: 'Herunterladen',
  open: 'Öffnen…',
  empty: 'Leer',
  valid: 'Gültiges JSON',
  checking: 'Wird geprüft…',
  tooLarge: 'Zu groß für die Prüfung; Sie können weiter bearbeiten, speichern und herunterladen.',
  problems: 'Probleme',
  moreProblems: (count, orMore) => `und ${orMore ? 'mindestens ' : ''}${count} weitere`,
  countErrors: (count, orMore) => `${count}${orMore ? '+' : ''} Fehler`,
  countWarnings: (count) => (count === 1 ? '1 Warnung' : `${count} Warnungen`),
  place: (line, column) => `Zeile ${line}, Spalte ${column}`,
  working: (action) => `${action}: läuft…`,
  reading: 'Die Datei wird gelesen …',
  done: (action) => `${action}: fertig`,
  unchanged: (action) => `${action}: nichts zu ändern`,
  fixFirst: 'Beheben Sie zuerst die Fehler; der Text blieb unverändert.',
  beyondRepair: 'Das lässt sich nicht automatisch reparieren; der Text blieb unverändert.',
  cannotLoadCheck: 'die Prüfung nach Schemas konnte nicht geladen werden',
  cannotLoad: 'Das Werkzeug konnte nicht geladen werden; der Text wurde nicht geändert.',
  tooDeep: 'Das Ergebnis wäre zu groß; der Text blieb unverändert.',
  changedMeanwhile: 'Der Text wurde inzwischen geändert; nichts wurde ersetzt.',
  copied: 'Kopiert',
  cannotCopy: 'Der Browser hat das Kopieren verweigert.',
  opened: (name) => `${name} geöffnet`,
  notText: (name) => `${name} ist kein UTF-8- oder UTF-16-Text; nichts wurde ersetzt.`,
  fileTooLarge: (name) => `${name} ist zu groß, um hier geöffnet zu werden.`,
  cannotRead: (name) => `${name} konnte nicht gelesen werden.`,
  large: 'Großer Text: Farben, Falten und Umbruch sind aus.',
  elsewhere:
    'Der ganze Editor arbeitet nur im eigenen Dokument der Seite. Sie können hier weiterarbeiten: Nichts geht verloren.',
  oneFile: 'Immer nur eine Datei; nichts wurde ersetzt.',
  tabMoves: 'Tab verlässt jetzt den Editor.',
  keyboardHelp: 'Mit Escape und dann Tab verlassen Sie den Editor.',
  original: 'Gespeicherter Text',
  faults: FAULTS,
}
