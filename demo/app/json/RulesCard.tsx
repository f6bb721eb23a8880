// The redirections file to look at: the same editor, in which nothing can be changed.
import { useRedirectionConfig } from 'latchkey'
import { JsonEditor } from 'latchkey/editor'
import { appConfig } from 'virtual:app-config'
import { Card } from '../parts/Card.tsx'
import './json.css'

const TOOLS = ['find', 'wrap', 'copy', 'download'] as const

export function RulesCard() {
  const { data: rules } = useRedirectionConfig()
  if (!rules) return null
  return (
    <Card
      className="below"
      title="Redirection rules"
      about="The file as this app reads it. The first environment whose criteria all fit a user is theirs; it is written where it is published, not here."
    >
      <JsonEditor
        aria-label="Redirection rules"
        value={JSON.stringify(rules, undefined, 2)}
        readOnly
        toolbar={TOOLS}
        height="auto"
        maxHeight="min(420px, 60dvh)"
        fileName="redirections.json"
        full={appConfig.hasFullEditor}
      />
    </Card>
  )
}
