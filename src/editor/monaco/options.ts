// What Monaco is asked to do, and what it is spared the larger the text is.
import type { editor } from 'monaco-editor/editor'
import { DRAWN_COLUMNS } from '../limits.ts'

export interface OptionInputs {
  readonly size: 'small' | 'large' | 'huge'
  readonly isReadOnly: boolean
  readonly isDisabled: boolean
  readonly isRequired: boolean
  readonly isWrapped: boolean
  readonly isAuto: boolean
  readonly label: string
  readonly tabSize: number
  readonly placeholder: string | undefined
  readonly hasSchema: boolean
}

export function chooseOptions(inputs: OptionInputs): editor.IStandaloneEditorConstructionOptions {
  const isSmall = inputs.size === 'small'
  const isHuge = inputs.size === 'huge'
  return {
    ariaLabel: inputs.label,
    // Monaco writes this one onto its textbox again whenever its options change.
    ariaRequired: inputs.isRequired,
    readOnly: inputs.isReadOnly,
    domReadOnly: inputs.isReadOnly,
    tabIndex: inputs.isDisabled ? -1 : 0,
    tabSize: inputs.tabSize,
    insertSpaces: true,
    detectIndentation: false,
    wordWrap: inputs.isWrapped && !isHuge ? 'on' : 'off',
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: 13,
    lineHeight: 19,
    lineNumbersMinChars: 3,
    lineDecorationsWidth: 6,
    glyphMargin: false,
    automaticLayout: true,
    fixedOverflowWidgets: true,
    scrollBeyondLastLine: false,
    smoothScrolling: false,
    cursorBlinking: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'solid' : 'blink',
    scrollbar: { alwaysConsumeMouseWheel: false, ...(inputs.isAuto && { handleMouseWheel: true }) },
    minimap: { enabled: false },
    overviewRulerLanes: isHuge ? 0 : 2,
    folding: !isHuge,
    // Both read all brackets of the text; long texts get a language that has none.
    bracketPairColorization: { enabled: true },
    matchBrackets: isSmall ? 'near' : 'never',
    guides: { indentation: isSmall, bracketPairs: false },
    occurrencesHighlight: 'off',
    selectionHighlight: isSmall,
    renderWhitespace: 'none',
    autoIndent: 'full',
    // Line and paragraph separators are part of the text: no dialog, no change.
    unusualLineTerminators: 'off',
    // Each of these starts Monaco's base worker and copies the whole text into it.
    links: isSmall,
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false, nonBasicASCII: false },
    wordBasedSuggestions: 'off',
    defaultColorDecorators: 'never',
    colorDecorators: false,
    quickSuggestions: inputs.hasSchema && !isHuge ? { strings: true, other: true, comments: false } : false,
    suggestOnTriggerCharacters: inputs.hasSchema && !isHuge,
    inlineSuggest: { enabled: false },
    inlayHints: { enabled: 'off' },
    codeLens: false,
    lightbulb: { enabled: 'onCode' as editor.ShowLightbulbIconMode },
    // By indentation: its outline would start the JSON service for every text.
    stickyScroll: { enabled: isSmall, defaultModel: 'indentationModel', maxLineCount: 3 },
    'semanticHighlighting.enabled': false,
    dragAndDrop: true,
    dropIntoEditor: { enabled: false },
    pasteAs: { enabled: false },
    formatOnPaste: false,
    formatOnType: false,
    maxTokenizationLineLength: 20_000,
    stopRenderingLineAfter: DRAWN_COLUMNS,
    largeFileOptimizations: true,
    ...(inputs.placeholder !== undefined && { placeholder: inputs.placeholder }),
  }
}
