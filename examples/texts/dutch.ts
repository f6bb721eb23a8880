// Every text of latchkey in Dutch: pass the first to createAuth as `messages`, the second to JsonEditor.
import type { Message, MessageName } from 'latchkey'
import type { EditorMessages, FaultSentence, JsonFaultCode, SchemaKeyword } from 'latchkey/editor'

export const DUTCH: Readonly<Record<MessageName, Message>> = {
  idleCountdown: 'U wordt over {seconds} s afgemeld, omdat hier een tijd niets is gebeurd.',
  idleStay: 'Aangemeld blijven',
  sessionEnding: 'Uw sessie eindigt over {seconds} s. Sla uw werk op; daarna kunt u opnieuw inloggen.',
  idleSignedOut: 'U bent afgemeld, omdat er een tijd niets was gebeurd.',
  sessionClash: ({ browser, time }) =>
    `U bent hier afgemeld, omdat u zich met een andere browser hebt aangemeld (${browser ? `${browser}, ` : ''}${time}).`,
  signedOutElsewhere: 'U hebt zich in een ander tabblad afgemeld.',
  otherUser: 'Iemand anders heeft zich met deze browser aangemeld; u bent daarom afgemeld.',
  otherUsersLink: 'Deze link was voor een andere gebruiker bedoeld.',
  sessionEnded: 'Uw sessie is beëindigd.',
  signedOutOffline: 'U bent hier afgemeld. De server hoort het zodra u weer online bent.',
  logoutFailed: 'U bent hier afgemeld, maar de server kon niet worden ingelicht.',
  forbidden: 'U mag deze pagina niet bekijken.',
  signedOut: 'U bent afgemeld.',
  notSignedIn: 'U bent niet aangemeld.',
  signIn: 'Aanmelden',
  signInFailed: 'Het aanmelden is niet gelukt',
  signInHere: 'In plaats daarvan hier aanmelden',
  closeWindow: 'U kunt dit venster sluiten.',
  signInAgain: 'Uw sessie is beëindigd',
  signInAgainKeeps: 'Meld u opnieuw aan om uw tekst te behouden.',
  signInWindow: 'Meld u aan in het venster dat is geopend. Deze pagina wacht op u.',
  showWindow: 'Venster tonen',
  signInPage: 'Deze pagina verlaten en aanmelden',
  tryAgain: 'Opnieuw proberen',
  whatHappened: 'Wat er gebeurd is',
  tryingAgainIn: 'Nieuwe poging over {seconds} s.',
  offline: 'U bent offline. Wijzigingen kunnen nu niet worden opgeslagen.',
  backOnline: 'U bent weer online.',
  errorOffline: 'Dat is niet gelukt, omdat u offline bent.',
  errorNetwork: 'De server was niet bereikbaar.',
  errorTimeout: 'De server deed er te lang over.',
  errorBusy: 'De server is bezet. Wacht even.',
  errorConflict: 'Iemand anders heeft dit intussen gewijzigd. Bekijk die wijziging en sla daarna opnieuw op.',
  errorForbidden: 'Dat mag u niet.',
  errorNotAccepted: 'De server accepteert uw aanmelding niet.',
  errorNotSignedIn: 'Uw sessie is beëindigd. Meld u aan om verder te gaan.',
  errorPopupBlocked: 'Uw browser heeft het venster geblokkeerd. Sta vensters van deze site toe.',
  errorPopupClosed: 'Het venster werd gesloten voordat er iets was gewijzigd.',
  errorSessionKept:
    'De inlogpagina heeft de sessie nog die u hier hebt beëindigd. Meld u nog eens aan om ermee verder te gaan.',
  errorStorage: 'Uw browser laat deze site niets opslaan; zo kunt u zich niet aanmelden.',
  errorRedirectLoop: 'Het aanmelden is een paar keer achter elkaar zonder succes geprobeerd.',
  errorAnswer: 'Het antwoord van de server was niet leesbaar.',
  errorNotFound: 'Dat is er niet meer.',
  errorInvalid: 'Iets eraan is niet geldig. Verbeter het en probeer het nog eens.',
  errorTooLarge: 'Dat is te groot voor de server.',
  errorDenied: 'Het aanmelden is afgebroken of geweigerd.',
  errorUnconfirmed: 'Uw sessie kon niet worden bevestigd. Misschien moet u zich opnieuw aanmelden.',
  errorClock: 'De klok van dit apparaat loopt niet goed. Zet hem gelijk.',
  errorNotSupported: 'Dat is hier niet beschikbaar.',
  errorStepUp: 'Daarvoor moet u zich opnieuw of sterker aanmelden.',
  errorSwitch: 'U kon niet naar die organisatie overstappen.',
  errorSetup: 'Deze app is niet goed ingesteld. Meld het aan wie hem beheert.',
  errorBrowser: 'In deze browser kunt u zich niet aanmelden. Werk hem bij, of gebruik een andere.',
  errorAddress: 'Dat adres is niet toegestaan.',
  errorOther: 'Dat is niet gelukt.',
  toasts: 'Meldingen',
  closeToast: 'Sluiten: {text}',
  closeToasts: 'Alles sluiten',
  waitingToasts: ({ count }) => (Number(count) === 1 ? 'Nog één melding' : `Nog ${count} meldingen`),
}

/** The types of a schema. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'een lijst',
  boolean: 'true of false',
  integer: 'een geheel getal',
  null: 'null',
  number: 'een getal',
  object: 'een object',
  string: 'een tekst',
}

type Fault = Parameters<FaultSentence>[0]
/** What stands in the text: an object or a list by its name, anything else as it is. */
const foundIn = ({ found, foundType }: Fault) => TYPES[foundType] ?? found
/** The same at the beginning of a sentence; what stands in the text is written as it stands there. */
const beginWith = (fault: Fault) => (fault.foundType ? foundIn(fault).replace(/^e/, 'E') : foundIn(fault))
const oneOf = (names: readonly string[]) => new Intl.ListFormat('nl', { type: 'disjunction' }).format(names)

/** What a text is, or lacks, that differs from its schema. */
const SCHEMA: Record<SchemaKeyword, FaultSentence> = {
  additionalItems: () => 'Hier mag geen element meer staan',
  additionalProperties: ({ key }) => `De sleutel ${key} mag hier niet staan`,
  anyOf: (fault) => `${beginWith(fault)} past bij geen van de mogelijkheden`,
  const: (fault) => `Moet ${fault.expected} zijn, niet ${foundIn(fault)}`,
  contains: () => 'Geen enkel element is van de soort die de lijst moet bevatten',
  dependencies: ({ key }) => `De sleutel ${key} ontbreekt: een andere sleutel heeft hem nodig`,
  dependentRequired: ({ key }) => `De sleutel ${key} ontbreekt: een andere sleutel heeft hem nodig`,
  enum: (fault) =>
    fault.allowed.length > 0
      ? `Moet ${oneOf(fault.allowed)} zijn, niet ${foundIn(fault)}`
      : 'Hier is niets toegestaan',
  exclusiveMaximum: ({ expected, found }) => `Moet kleiner dan ${expected} zijn, niet ${found}`,
  exclusiveMinimum: ({ expected, found }) => `Moet groter dan ${expected} zijn, niet ${found}`,
  false: () => 'Hier mag niets staan',
  format: ({ expected, found }) => `${found} heeft niet de vorm ${expected}`,
  items: () => 'Hier mag geen element meer staan',
  maxContains: ({ expected }) => `Te veel elementen van één soort: hoogstens ${expected}`,
  maxItems: ({ expected }) => `Hoogstens ${expected} ${expected === '1' ? 'element' : 'elementen'}`,
  maxLength: ({ expected }) => `Hoogstens ${expected} ${expected === '1' ? 'teken' : 'tekens'}`,
  maxProperties: ({ expected }) => `Hoogstens ${expected} ${expected === '1' ? 'sleutel' : 'sleutels'}`,
  maximum: ({ expected, found }) => `Mag hoogstens ${expected} zijn, niet ${found}`,
  minContains: ({ expected }) => `Te weinig elementen van één soort: minstens ${expected}`,
  minItems: ({ expected }) => `Minstens ${expected} ${expected === '1' ? 'element' : 'elementen'}`,
  minLength: ({ expected }) => `Minstens ${expected} ${expected === '1' ? 'teken' : 'tekens'}`,
  minProperties: ({ expected }) => `Minstens ${expected} ${expected === '1' ? 'sleutel' : 'sleutels'}`,
  minimum: ({ expected, found }) => `Moet minstens ${expected} zijn, niet ${found}`,
  multipleOf: ({ expected, found }) => `${found} is geen veelvoud van ${expected}`,
  not: (fault) => `${beginWith(fault)} is door het schema uitgesloten`,
  oneOf: (fault) =>
    `${beginWith(fault)} past bij ${fault.expected} mogelijkheden, het moet er precies één zijn`,
  pattern: ({ expected, found }) => `${found} past niet bij ${expected}`,
  patternProperties: ({ key }) => `De sleutel ${key} mag hier niet staan`,
  prefixItems: () => 'Hier mag geen element meer staan',
  properties: ({ key }) => `De sleutel ${key} mag hier niet staan`,
  propertyNames: ({ key }) => `De sleutel ${key} mag hier niet staan`,
  required: ({ key }) => `De sleutel ${key} ontbreekt`,
  type: (fault) =>
    `Moet ${oneOf(fault.allowed.map((type) => TYPES[type] ?? type))} zijn, niet ${foundIn(fault)}`,
  unevaluatedItems: () => 'Hier mag geen element meer staan',
  unevaluatedProperties: ({ key }) => `De sleutel ${key} mag hier niet staan`,
  uniqueItems: () => 'Twee elementen zijn gelijk',
}

const FAULTS: Record<JsonFaultCode, FaultSentence> = {
  'byte-order-mark': () => 'Bytevolgordeteken vóór de tekst: JSON moet zonder beginnen',
  comment: () => 'Commentaar hoort niet bij JSON',
  'control-character': ({ detail }) =>
    detail === '000A'
      ? 'Regeleinde in een tekst: schrijf het als \\n'
      : `Stuurteken U+${detail} in een tekst: schrijf het als \\u${detail}`,
  'duplicate-key': ({ detail, related, relatedColumn }) =>
    `Dubbele sleutel ${detail}: staat al op regel ${related}, kolom ${relatedColumn}, de laatste geldt`,
  empty: () => 'Hier staat nog niets: JSON heeft een waarde nodig',
  'extra-text': () => 'Tekst na het einde van de JSON',
  incomplete: ({ detail, count, found }) =>
    ({
      deep: 'Te diep genest om met het schema te controleren',
      long: 'De controle van het schema duurde te lang',
      pattern: `Het schema wordt gecontroleerd zonder patronen die op deze pagina te lang kunnen duren: ${found}`,
      large: 'Te groot om met het schema te controleren',
      many: `${count} afwijkingen van het schema; de eerste staan hier`,
      reference: `Gecontroleerd zonder wat het schema elders aanhaalt: ${found}`,
    })[detail] ?? `Het schema is onbruikbaar: ${found}`,
  'invalid-escape': ({ detail }) => `Ongeldige vervanging ${detail} in een tekst`,
  'invalid-number': ({ detail }) => `${detail} is geen JSON-getal`,
  'invalid-word': ({ detail }) =>
    `Onbekend woord ${detail}: tekst heeft rechte aanhalingstekens nodig, andere woorden zijn true, false en null`,
  'mismatched-bracket': ({ detail, related }) =>
    `${detail} sluit niet het haakje dat op regel ${related} is geopend`,
  'missing-bracket': ({ detail, related }) =>
    '{['.includes(detail)
      ? `Hiervoor ontbreekt ${detail}`
      : `${detail} ontbreekt: het haakje van regel ${related} is niet gesloten`,
  'missing-colon': () => 'Na de sleutel ontbreekt een dubbele punt',
  'missing-comma': ({ detail }) => `Vóór ${detail} ontbreekt een komma`,
  'missing-key': ({ detail }) => `Vóór ${detail} ontbreekt een sleutel`,
  'missing-value': () => 'Hier ontbreekt een waarde',
  schema: (fault) => SCHEMA[fault.keyword as SchemaKeyword]?.(fault) ?? fault.detail,
  'too-large': () => 'Te groot om te controleren; u kunt verder bewerken en opslaan',
  'trailing-comma': () => 'Overtollige komma: er volgt niets meer',
  'unclosed-string': () => 'De tekst wordt niet gesloten',
  'unescaped-quote': () => 'Aanhalingsteken in de tekst: schrijf \\"',
  'unexpected-bracket': ({ detail }) => `${detail} sluit niets`,
  'unexpected-character': ({ detail }) => `Onverwacht teken ${detail}`,
  'unexpected-end': ({ count }) =>
    count === 1 ? 'Onverwacht einde: één haakje staat open' : `Onverwacht einde: ${count} haakjes staan open`,
  'unexpected-word': ({ detail }) => `${detail} hoort hier niet`,
  'unquoted-key': ({ detail }) => `De sleutel ${detail} heeft rechte aanhalingstekens nodig`,
  'unsafe-number': ({ detail }) =>
    `${detail} is groter of nauwkeuriger dan JavaScript rekent: inlezen verandert het getal`,
  'wrong-quotes': () => 'JSON heeft rechte dubbele aanhalingstekens (") nodig',
}

export const DUTCH_EDITOR: Required<EditorMessages> = {
  name: 'JSON',
  loading: 'De volledige editor wordt geladen; u kunt al typen.',
  failed: 'De volledige editor kon niet worden geladen. U kunt hier verder: er is niets verloren.',
  forbidden: (policy) =>
    `De Content Security Policy van de pagina laat de volledige editor niet toe: hij heeft ${policy} nodig. U kunt hier verdergaan: er gaat niets verloren.`,
  retry: 'Editor opnieuw laden',
  preview: 'Dit is het begin van een grote tekst. De volledige editor opent hem helemaal.',
  toolbar: 'JSON-opdrachten',
  more: 'Meer',
  format: 'Opmaken',
  compact: 'Compact maken',
  sortKeys: 'Sleutels sorteren',
  repair: 'Herstellen',
  undo: 'Ongedaan maken',
  redo: 'Opnieuw',
  find: 'Zoeken',
  wrap: 'Regels afbreken',
  compare: 'Vergelijken',
  copy: 'Kopiëren',
  download: 'Downloaden',
  open: 'Openen…',
  empty: 'Leeg',
  valid: 'Geldige JSON',
  checking: 'Wordt gecontroleerd…',
  tooLarge: 'Te groot om te controleren; u kunt verder bewerken, opslaan en downloaden.',
  problems: 'Problemen',
  moreProblems: (count, orMore) => `en nog ${orMore ? 'minstens ' : ''}${count}`,
  countErrors: (count, orMore) => (count === 1 ? '1 fout' : `${count}${orMore ? '+' : ''} fouten`),
  countWarnings: (count) => (count === 1 ? '1 waarschuwing' : `${count} waarschuwingen`),
  place: (line, column) => `Regel ${line}, kolom ${column}`,
  working: (action) => `${action}: bezig…`,
  reading: 'Het bestand wordt gelezen…',
  done: (action) => `${action}: klaar`,
  unchanged: (action) => `${action}: niets te wijzigen`,
  fixFirst: 'Verbeter eerst de fouten; de tekst is niet gewijzigd.',
  beyondRepair: 'Dit kan niet automatisch worden hersteld; de tekst is niet gewijzigd.',
  cannotLoadCheck: 'de controle met schema’s kon niet worden geladen',
  cannotLoad: 'Dit hulpmiddel kon niet worden geladen; de tekst is niet gewijzigd.',
  tooDeep: 'Het resultaat zou te groot zijn; de tekst is niet gewijzigd.',
  changedMeanwhile: 'De tekst is intussen gewijzigd; er is niets vervangen.',
  copied: 'Gekopieerd',
  cannotCopy: 'De browser heeft het kopiëren geweigerd.',
  opened: (name) => `${name} geopend`,
  notText: (name) => `${name} is geen UTF-8- of UTF-16-tekst; er is niets vervangen.`,
  fileTooLarge: (name) => `${name} is te groot om hier te openen.`,
  cannotRead: (name) => `${name} kon niet worden gelezen.`,
  large: 'Grote tekst: kleuren, inklappen en afbreken staan uit.',
  elsewhere:
    'De volledige editor werkt alleen in het eigen document van de pagina. U kunt hier verder: er gaat niets verloren.',
  oneFile: 'Eén bestand tegelijk; er is niets vervangen.',
  tabMoves: 'Tab verlaat nu de editor.',
  keyboardHelp: 'Druk op Escape en dan op Tab om de editor te verlaten.',
  original: 'Opgeslagen tekst',
  faults: FAULTS,
}
