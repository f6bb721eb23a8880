// What a link map has to look like, as a JSON Schema: the editor checks by it, completes from it and explains its members.

const id = {
  anyOf: [{ type: 'string', pattern: '\\S' }, { type: 'number' }],
  errorMessage: 'An id is a text that is not empty, or a number.',
}

export const LINK_MAP_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Link map',
  type: 'array',
  items: {
    type: 'object',
    required: ['internalUser', 'externalUser'],
    additionalProperties: false,
    properties: {
      internalUser: {
        description: 'The user of your firm: the id, or the user as it was read.',
        anyOf: [
          id,
          {
            type: 'object',
            required: ['id'],
            properties: {
              id: { ...id, description: 'Who it is. Name and address are for reading only.' },
              name: { type: 'string' },
              email: { type: 'string' },
            },
          },
        ],
      },
      externalUser: {
        type: 'object',
        description: 'The user at the cloud provider.',
        required: ['id'],
        properties: {
          id: { ...id, description: 'The id that the cloud provider uses.' },
          name: { type: 'string' },
          email: { type: 'string' },
        },
        defaultSnippets: [{ label: 'a linked user', body: { id: '$1' } }],
      },
    },
    defaultSnippets: [{ label: 'a link', body: { internalUser: '$1', externalUser: { id: '$2' } } }],
  },
} as const
