// What Monaco is asked to do, and what it is spared the larger the text is.
import type { EditorView } from '../editorState.ts'
import type { editor } from 'monaco-editor/editor'
import { TAB_SIZE, DRAWN_COLUMNS } from '../limits.ts'
import { SHELL_MESSAGES, withTexts } from '../messages.ts'
import { matches } from '../tools/pageTheme.ts'
import type { PartProps } from '../tools/partProps.ts'

export function chooseOptions(
  props: PartProps,
  { size, isWrapped }: EditorView,
): editor.IStandaloneEditorConstructionOptions {
  const isSmall = size === 'small'
  const isHuge = size === 'huge'
  const suggests = props.schema !== undefined && !isHuge
  const { name } = withTexts(SHELL_MESSAGES, props.messages)
  // As large as the textarea, which follows the page.
  const { fontSize, lineHeight } = getComputedStyle(props.area)
  return {
    ariaLabel: props['aria-label'] ?? (typeof props.label === 'string' ? props.label : name),
    // Monaco writes this one onto its textbox again whenever its options change.
    ariaRequired: props.required ?? false,
    readOnly: !props.canEdit,
    domReadOnly: !props.canEdit,
    tabIndex: props.isDisabled ? -1 : 0,
    tabSize: props.tabSize ?? TAB_SIZE,
    detectIndentation: false,
    wordWrap: isWrapped && !isHuge ? 'on' : 'off',
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: Number.parseFloat(fontSize) || 13,
    lineHeight: Math.round(Number.parseFloat(lineHeight)) || 19,
    // The textarea's padding is as wide as these two make the gutter.
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
    // Both read all brackets of the text; long texts get a language that has none.
    matchBrackets: isSmall ? 'near' : 'never',
    guides: { indentation: isSmall },
    occurrencesHighlight: 'off',
    selectionHighlight: isSmall,
    renderWhitespace: 'none',
    // Line and paragraph separators are part of the text: no dialog, no change.
    unusualLineTerminators: 'off',
    // Each of these starts Monaco's base worker and copies the whole text into it.
    links: isSmall,
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: isSmall, nonBasicASCII: false },
    wordBasedSuggestions: 'off',
    colorDecorators: false,
    quickSuggestions: suggests ? { strings: true, other: true, comments: false } : false,
    // By indentation: its outline would start the JSON service for every text.
    stickyScroll: { enabled: isSmall, defaultModel: 'indentationModel', maxLineCount: 3 },
    dropIntoEditor: { enabled: false },
    pasteAs: { enabled: false },
    stopRenderingLineAfter: DRAWN_COLUMNS,
    ...(props.placeholder !== undefined && { placeholder: props.placeholder }),
  }
}
