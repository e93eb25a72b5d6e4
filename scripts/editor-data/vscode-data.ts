import { choices, type Named, type Tag } from './tag.ts';

/** https://github.com/microsoft/vscode-html-languageservice/blob/main/docs/customData.md */
export function vscodeHtmlData(tags: readonly Tag[]): object {
  return {
    version: 1.1,
    tags: tags.map((tag) => ({
      name: tag.name,
      // Of a tag the format knows attributes only: the rest is told where the tag is pointed at.
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
        ...(choices(type).length > 0 && { values: choices(type).map((word) => ({ name: word })) }),
      })),
    })),
  };
}

/** https://github.com/microsoft/vscode-css-languageservice/blob/main/docs/customData.md */
export function vscodeCssData(tags: readonly Tag[]): object {
  return {
    version: 1.1,
    properties: once(tags, ({ cssProperties }) => cssProperties),
    pseudoClasses: once(tags, ({ states }) => states, ':state(', ')'),
    pseudoElements: once(tags, ({ parts }) => parts, '::part(', ')'),
  };
}

const markdown = (value: string) => ({ kind: 'markdown', value });

const section = (title: string, entries: readonly Named[]): string =>
  entries.length === 0 ? '' : `\n\n**${title}**${entries.map((entry) => `\n- ${line(entry)}`).join('')}`;

/** The slot without a name is named for what it is. */
const line = ({ name, description }: Named): string => `\`${name || '(default)'}\`${description && `: ${description}`}`;

/** What several tags have is told once, with the words of each. */
function once(tags: readonly Tag[], of: (tag: Tag) => readonly Named[], before = '', after = ''): object[] {
  const found = new Map<string, string[]>();
  for (const tag of tags) {
    for (const { name, description } of of(tag)) {
      found.set(name, [...(found.get(name) ?? []), `\`<${tag.name}>\`${description && `: ${description}`}`]);
    }
  }
  return [...found].map(([name, lines]) => ({
    name: `${before}${name}${after}`,
    description: markdown(lines.join('\n\n')),
  }));
}
