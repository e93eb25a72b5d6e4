import type { Tag, Typed } from './tag.ts';

/** For the editors of JetBrains: https://github.com/JetBrains/web-types */
export function webTypes({ name, version }: { name: string; version: string }, tags: readonly Tag[]): object {
  return {
    $schema: 'https://raw.githubusercontent.com/JetBrains/web-types/master/schema/web-types.json',
    name,
    version,
    'description-markup': 'markdown',
    'js-types-syntax': 'typescript',
    contributions: {
      html: {
        elements: tags.map((tag) => ({
          name: tag.name,
          description: tag.description,
          attributes: tag.attributes.map(({ name: attribute, description, type, default: initial }) => ({
            name: attribute,
            description,
            value: { type, ...(initial !== undefined && { default: initial }) },
          })),
          slots: tag.slots,
          js: { properties: tag.properties.map(withoutDefault), events: tag.events },
          css: {
            properties: tag.cssProperties.map(({ name, description, default: initial }) => ({
              name,
              description: initial === undefined ? description : `${description} Default: \`${initial}\`.`,
            })),
            parts: tag.parts,
            'pseudo-classes': tag.states.map(({ name, description }) => ({ name: `state(${name})`, description })),
          },
        })),
      },
    },
  };
}

const withoutDefault = ({ name, description, type }: Typed) => ({ name, description, type });
