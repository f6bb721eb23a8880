// Runs single parts of the editor's bench by hand: node bench/editor/run.ts [editors] [parts] [rounds], lists with commas.
import { median } from '../figures.ts'
import { type EditorName, EDITORS, measureEditors, type Part, PARTS } from './measure.ts'

const [editors, parts, rounds = '1'] = process.argv.slice(2)
const samples = await measureEditors({
  editors: editors ? (editors.split(',') as EditorName[]) : EDITORS,
  parts: parts ? (parts.split(',') as Part[]) : PARTS,
  rounds: Number(rounds),
})
const rows = Object.entries(samples).map(([row, byEditor]) => [
  row,
  Object.fromEntries(Object.entries(byEditor).map(([editor, values]) => [editor, median(values)])),
])
console.table(Object.fromEntries(rows))
