import { attributeOf, type Method, type Named, type Tag, type Typed } from './tag.ts';

/** The page of a tag in docs/reference: the public members of a tag, with the docs of its class. */
export function referencePage(tag: Tag): string {
  const own = tag.properties.filter(({ isFromVideo }) => !isFromVideo);
  const settable = own.filter(({ isReadonly }) => !isReadonly);
  const readable = own.filter(({ isReadonly }) => isReadonly);
  const fromVideo = tag.properties.filter(({ isFromVideo }) => isFromVideo);
  const ownEvents = tag.events.filter(({ isFromVideo }) => !isFromVideo);
  const videoEvents = tag.events.filter(({ isFromVideo }) => isFromVideo);
  return [
    '<!-- Generated from the class of the tag by `npm run generate`. Do not edit. -->',
    `# \`<${tag.name}>\``,
    tag.description,
    `The guide: [Use \`<${tag.name}>\`](../guides/${tag.name.replace('stream-', '')}-tag.md).`,
    section(
      'Attributes and properties',
      table(
        ['attribute', 'property', 'type', 'default', ''],
        settable.map((property) => settableRow(property, tag)),
      ),
    ),
    section('Properties to read', table(['property', 'type', ''], readable.map(readableRow))),
    section('Methods', table(['method', ''], tag.methods.map(methodRow))),
    section('Events', table(['event', 'class', ''], ownEvents.map(eventRow))),
    section(
      'Members of a video',
      fromVideo.length === 0
        ? ''
        : `As of an [\`HTMLVideoElement\`](https://developer.mozilla.org/docs/Web/API/HTMLVideoElement), where the browser has them. Read only: ${list(fromVideo.filter(({ isReadonly }) => isReadonly))}. To read and set: ${list(fromVideo.filter(({ isReadonly }) => !isReadonly))}.`,
    ),
    section('Events of a video', table(['event', ''], videoEvents.map(namedRow))),
    section('Slots', table(['slot', ''], tag.slots.map(namedRow))),
    section('Parts', table(['part', ''], tag.parts.map(namedRow))),
    section('Custom properties', table(['property', 'default', ''], tag.cssProperties.map(cssRow))),
    section('States', table(['state', ''], tag.states.map(namedRow))),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const section = (title: string, content: string): string => (content === '' ? '' : `## ${title}\n\n${content}`);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const code = (text: string): string => (text === '' ? '' : `\`${cell(text)}\``);
const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|');
const list = (members: readonly Named[]): string => members.map(({ name }) => code(name)).join(', ');

function settableRow(property: Typed, tag: Tag): string[] {
  const attribute = attributeOf(property, tag);
  return [
    attribute === undefined ? '–' : code(attribute),
    code(property.name),
    code(property.type),
    property.default === undefined ? '' : code(property.default),
    cell(property.description),
  ];
}

const readableRow = ({ name, type, description }: Typed): string[] => [code(name), code(type), cell(description)];
const methodRow = ({ signature, description }: Method): string[] => [code(signature), cell(description)];
const eventRow = ({ name, type, description }: Typed): string[] => [code(name), code(type), cell(description)];
/** The slot without a name is the default slot. */
const namedRow = ({ name, description }: Named): string[] => [code(name || '(default)'), cell(description)];
const cssRow = ({ name, default: initial, description }: Typed): string[] => [
  code(name),
  initial === undefined ? '' : code(initial),
  cell(description),
];
