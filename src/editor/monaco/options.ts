// Monaco's options; the larger the text, the fewer features.
import type { EditorView } from '../editorState.ts'
import type { editor } from 'monaco-editor/editor'
import { TAB_SIZE, DRAWN_COLUMNS } from '../limits.ts'
import { SHELL_MESSAGES, withTexts } from '../messages.ts'
import { matches } from '../tools/pageTheme.ts'
import type { PartProps } from '../tools/partProps.ts'

export function chooseOptions(
  props: PartProps,
  { size, isWrapped, fontSize = '' }: EditorView,
): editor.IStandaloneEditorConstructionOptions {
  const isSmall = size === 'small'
  const isHuge = size === 'huge'
  const suggests = props.schema !== undefined && !isHuge
  const { name } = withTexts(SHELL_MESSAGES, props.messages)
  return {
    ariaLabel: props['aria-label'] ?? (typeof props.label === 'string' ? props.label : name),
    // An option, because Monaco writes this attribute again whenever its options change.
    ariaRequired: props.required ?? false,
    readOnly: !props.canEdit,
    domReadOnly: !props.canEdit,
    tabIndex: props.isDisabled ? -1 : 0,
    tabSize: props.tabSize ?? TAB_SIZE,
    detectIndentation: false,
    wordWrap: isWrapped && !isHuge ? 'on' : 'off',
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: Number.parseFloat(fontSize) || 13,
    lineHeight: Math.round(Number.parseFloat(getComputedStyle(props.area).lineHeight)) || 19,
    // These two make the gutter as wide as the textarea's padding.
    lineNumbersMinChars: 3,
    lineDecorationsWidth: 6,
    glyphMargin: false,
    automaticLayout: true,
    scrollBeyondLastLine: false,
    cursorBlinking: matches('(prefers-reduced-motion: reduce)') ? 'solid' : 'blink',
    scrollbar: { alwaysConsumeMouseWheel: false },
    minimap: { enabled: false },
    overviewRulerLanes: isHuge ? 0 : 2,
    folding: !isHuge,
    // Both read all brackets of the text.
    matchBrackets: isSmall ? 'near' : 'never',
    guides: { indentation: isSmall },
    occurrencesHighlight: 'off',
    selectionHighlight: isSmall,
    renderWhitespace: 'none',
    // Line and paragraph separators are part of the text: no dialog, no change.
    unusualLineTerminators: 'off',
    // Each of these copies the whole text into Monaco's base worker.
    links: isSmall,
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: isSmall, nonBasicASCII: false },
    wordBasedSuggestions: 'off',
    colorDecorators: false,
    quickSuggestions: suggests ? { strings: true, other: true, comments: false } : false,
    // By indentation: the outline would start the JSON service for every text.
    stickyScroll: { enabled: isSmall, defaultModel: 'indentationModel', maxLineCount: 3 },
    dropIntoEditor: { enabled: false },
    pasteAs: { enabled: false },
    stopRenderingLineAfter: DRAWN_COLUMNS,
    placeholder: props.placeholder ?? '',
  }
}
