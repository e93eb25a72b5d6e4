import { attributeOf, type Tag, type Typed } from './tag.ts';

const NOTE = '// Generated from the classes of the tags by `npm run generate`. Do not edit.\n';

/** src/markup/event-names.ts: the names of all events, for the types of every framework. */
export function eventNames(tags: readonly Tag[]): string {
  const union = ({ name, events }: Tag): string => `
/** The events of \`<${name}>\`, by name. */
export type ${pascal(name)}EventName = ${events.map((event) => `\n  | '${event.name}'`).join('')};
`;
  return NOTE + tags.map(union).join('');
}

/** src/markup/attribute-names.ts: the property that each attribute sets, for the types of every framework. */
export function attributeNames(tags: readonly Tag[]): string {
  const map = (tag: Tag): string => `
/** The attributes of \`<${tag.name}>\`, with the property that each sets. */
export interface ${pascal(tag.name)}Attributes {${tag.attributes
    .map(({ name }) => `\n  readonly '${name}': '${propertyOf(name, tag)}';`)
    .join('')}
}
`;
  return NOTE + tags.map(map).join('');
}

/** @throws {Error} an attribute without a property: the class must document it */
function propertyOf(attribute: string, tag: Tag): string {
  const property = tag.properties.find((one) => attributeOf(one, tag) === attribute);
  if (property) return property.name;
  throw new Error(`No property of <${tag.name}> has the attribute ${attribute}`);
}

/** src/react/event-handlers.ts: the events of each tag by the names of their handlers in React. */
export function reactHandlers(tags: readonly Tag[]): string {
  const object = ({ name, events }: Tag): string => `
/** The events of \`<${name}>\`, by the names of their handlers. */
export const ${constant(name)}_HANDLERS = {${events.map((event) => `\n  ${handler(event)}: '${event.name}',`).join('')}
} as const;
`;
  return NOTE + tags.map(object).join('');
}

/** src/elements/viewer/video-members.ts: the members that the viewer has from its `<video>`. */
export function videoMembers(tags: readonly Tag[]): string {
  const fromVideo = ({ isFromVideo }: Typed): boolean => isFromVideo === true;
  const properties = tags.flatMap((tag) => tag.properties).filter(fromVideo);
  const events = tags.flatMap((tag) => tag.events).filter(fromVideo);
  const entries = (list: readonly Typed[]): string => list.map(({ name }) => `\n  '${name}',`).join('');
  return `${NOTE}
/** Properties and methods of \`HTMLVideoElement\` that the tag has too. */
export const VIDEO_MEMBERS = [${entries(properties)}
] as const;

/** Events of the \`<video>\` that the tag sends too. */
export const VIDEO_EVENTS = [${entries(events)}
] as const;

/** Of the members, those that can be set. */
export const SETTABLE_VIDEO_MEMBERS = [${entries(properties.filter(({ isReadonly }) => !isReadonly))}
] as const;
`;
}

const pascal = (name: string): string => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const constant = (name: string): string => name.replaceAll('-', '_').toUpperCase();

/** The media events, as React spells them. The spelling of all others follows from the words of the name. */
const REACT_SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    'CanPlay',
    'CanPlayThrough',
    'DurationChange',
    'EnterPictureInPicture',
    'LeavePictureInPicture',
    'LoadedData',
    'LoadedMetadata',
    'LoadStart',
    'RateChange',
    'TimeUpdate',
    'VolumeChange',
  ].map((spelled) => [spelled.toLowerCase(), spelled]),
);

const handler = ({ name }: Typed): string => `on${REACT_SPELLINGS.get(name) ?? pascal(name)}`;
