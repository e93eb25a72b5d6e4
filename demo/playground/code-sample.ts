import { MARK, type Changes, type Value } from './changes.js';
import { camelCase, type Control } from './control.js';

/** The code of a page with the same tag. It contains all changes, and no default values. */
export function codeSample(tag: string, controls: readonly Control[], changes: Changes): string {
  const script = `<script type="module" src="${SERVER}/streamgate.js"></script>`;
  const languageScript =
    changes.lang === 'en' ? [] : [`<script type="module" src="${SERVER}/i18n/${changes.lang}.js"></script>`];
  const css = rules(tag, changes);
  const js = statements(tag, controls, changes);
  return [
    ...languageScript,
    script,
    ...(css.length > 0 ? ['', '<style>', ...css.map(indented), '</style>'] : []),
    '',
    ...markup(tag, controls, changes),
    ...(js.length > 0 ? ['', '<script type="module">', ...js.map(indented), '</script>'] : []),
  ].join('\n');
}

const SERVER = 'https://your.server';
const indented = (line: string): string => (line ? `  ${line}` : line);
/** The value of a control. A token is left out, because a page gets its token from its server. */
const shownValue = (control: Control, value: Value): Value => (control.property === 'token' ? '…' : value);

function markup(tag: string, controls: readonly Control[], { properties, lang, slots }: Changes): string[] {
  const attributes = controls
    .filter(({ attribute, property }) => attribute !== undefined && properties.has(property))
    .map((control) => attributeText(control, shownValue(control, properties.get(control.property)!)));
  const language = lang === 'en' ? [] : [`lang="${lang}"`];
  const all = [...language, ...attributes.filter((text) => text !== '')];
  const oneLine = [tag, ...all].join(' ');
  const open = oneLine.length < 90 ? [`<${oneLine}>`] : [`<${tag}`, ...all.map(indented), '>'];
  const inside = [...slots].map(([slot, text]) =>
    slot === ''
      ? `<track kind="captions" srclang="en" label="${escaped(text)}" src="captions.vtt" />`
      : `<p slot="${slot}">${escaped(text)}</p>`,
  );
  if (inside.length > 0) return [...open, ...inside.map(indented), `</${tag}>`];
  return [...open.slice(0, -1), `${open.at(-1)}</${tag}>`];
}

function attributeText({ attribute = '', property, initial }: Control, value: Value): string {
  // A boolean attribute sets its property to true, or to false if the default is true: `camera-off`.
  const isSwitchedOff = initial === true && camelCase(attribute) !== property;
  if (typeof value === 'boolean') return value === isSwitchedOff ? '' : attribute;
  return `${attribute}="${escaped(String(value))}"`;
}

function rules(tag: string, { styles, markedParts, markedStates }: Changes): string[] {
  const declarations = [...styles].map(([name, value]) => `${name}: ${value};`);
  return [
    ...(declarations.length > 0 ? [`${tag} {`, ...declarations.map(indented), '}'] : []),
    ...[...markedParts].map((part) => `${tag}::part(${part}) { outline: ${MARK}; }`),
    ...[...markedStates].map((state) => `${tag}:state(${state}) { outline: ${MARK}; }`),
  ];
}

function statements(
  tag: string,
  controls: readonly Control[],
  { properties, loggedEvents, called }: Changes,
): string[] {
  const name = tag.replace('stream-', '');
  const assignments = controls
    .filter(({ attribute, property }) => attribute === undefined && properties.has(property))
    .map((control) => `${name}.${control.property} = ${valueText(control, properties.get(control.property)!)};`);
  const listeners = [...loggedEvents].map(
    (event) => `${name}.addEventListener('${event}', (event) => console.log(event));`,
  );
  const all = [...assignments, ...listeners, ...(called ? [`${name}.${called};`] : [])];
  return all.length > 0 ? [`const ${name} = document.querySelector('${tag}');`, ...all] : [];
}

function valueText({ kind }: Control, value: Value): string {
  if (kind === 'provider') return "async () => (await fetch('/stream-token', { method: 'POST' })).text()";
  if (kind === 'media') return "document.querySelector('canvas').captureStream(30)";
  if (kind === 'messages') return String(value);
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
