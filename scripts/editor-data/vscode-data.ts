import { choices, type Named, type Tag } from './tag.ts';

/** https://github.com/microsoft/vscode-html-languageservice/blob/main/docs/customData.md */
export function vscodeHtmlData(tags: readonly Tag[]): object {
  return {
    version: 1.1,
    tags: tags.map((tag) => ({
      name: tag.name,
      // The format has only attributes. Everything else is in the description, which editors show for the tag.
      description: markdown(
        [
          tag.description,
          section('Events', tag.events),
          section('Slots', tag.slots),
          section('Parts', tag.parts),
          section('Custom properties', tag.cssProperties),
          section('States', tag.states),
        ].join(''),
      ),
      attributes: tag.attributes.map(({ name, description, type }) => ({
        name,
        description: markdown(description),
        ...(type === 'boolean' && { valueSet: 'v' }),
        ...(choices(type).length > 0 && { values: choices(type).map((value) => ({ name: value })) }),
      })),
    })),
  };
}

/** https://github.com/microsoft/vscode-css-languageservice/blob/main/docs/customData.md */
export function vscodeCssData(tags: readonly Tag[]): object {
  return {
    version: 1.1,
    properties: uniqueByName(tags, ({ cssProperties }) => cssProperties),
    pseudoClasses: uniqueByName(tags, ({ states }) => states, ':state(', ')'),
    pseudoElements: uniqueByName(tags, ({ parts }) => parts, '::part(', ')'),
  };
}

const markdown = (value: string) => ({ kind: 'markdown', value });

const section = (title: string, entries: readonly Named[]): string =>
  entries.length === 0 ? '' : `\n\n**${title}**${entries.map((entry) => `\n- ${listItem(entry)}`).join('')}`;

/** The slot without a name is the default slot. */
const listItem = ({ name, description }: Named): string =>
  `\`${name || '(default)'}\`${description && `: ${description}`}`;

/** Lists each name once. If several tags have it, its description contains those of all of them. */
function uniqueByName(tags: readonly Tag[], of: (tag: Tag) => readonly Named[], before = '', after = ''): object[] {
  const byName = new Map<string, string[]>();
  for (const tag of tags) {
    for (const { name, description } of of(tag)) {
      byName.set(name, [...(byName.get(name) ?? []), `\`<${tag.name}>\`${description && `: ${description}`}`]);
    }
  }
  return [...byName].map(([name, descriptions]) => ({
    name: `${before}${name}${after}`,
    description: markdown(descriptions.join('\n\n')),
  }));
}
