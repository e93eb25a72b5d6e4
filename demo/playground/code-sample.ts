import { MARK, type Changes, type Value } from './changes.js';
import type { Control } from './control.js';

/** What a page needs for a tag like this, for copying: what was changed, and nothing that is so by itself. */
export function codeSample(tag: string, knobs: readonly Control[], changes: Changes): string {
  const script = `<script type="module" src="${SERVER}/streamgate.js"></script>`;
  const words =
    changes.lang === 'en' ? [] : [`<script type="module" src="${SERVER}/i18n/${changes.lang}.js"></script>`];
  const css = rules(tag, changes);
  const js = statements(tag, knobs, changes);
  return [
    ...words,
    script,
    ...(css.length > 0 ? ['', '<style>', ...css.map(indented), '</style>'] : []),
    '',
    ...markup(tag, knobs, changes),
    ...(js.length > 0 ? ['', '<script type="module">', ...js.map(indented), '</script>'] : []),
  ].join('\n');
}

const SERVER = 'https://your.server';
const indented = (line: string): string => (line ? `  ${line}` : line);
/** A token belongs in no markup that is kept: pages get it from their server. */
const written = (knob: Control, value: Value): Value => (knob.property === 'token' ? '…' : value);

function markup(tag: string, knobs: readonly Control[], { properties, lang, slots }: Changes): string[] {
  const attributes = knobs
    .filter(({ attribute, property }) => attribute !== undefined && properties.has(property))
    .map((knob) => attributeText(knob.attribute!, written(knob, properties.get(knob.property)!)));
  const own = lang === 'en' ? [] : [`lang="${lang}"`];
  const all = [...own, ...attributes.filter((text) => text !== '')];
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

function attributeText(name: string, value: Value): string {
  if (value === true) return name;
  if (value === false) return '';
  return `${name}="${escaped(String(value))}"`;
}

function rules(tag: string, { styles, markedParts, markedStates }: Changes): string[] {
  const own = [...styles].map(([name, value]) => `${name}: ${value};`);
  return [
    ...(own.length > 0 ? [`${tag} {`, ...own.map(indented), '}'] : []),
    ...[...markedParts].map((part) => `${tag}::part(${part}) { outline: ${MARK}; }`),
    ...[...markedStates].map((state) => `${tag}:state(${state}) { outline: ${MARK}; }`),
  ];
}

function statements(tag: string, knobs: readonly Control[], { properties, heardEvents, called }: Changes): string[] {
  const name = tag.replace('stream-', '');
  const own = knobs
    .filter(({ attribute, property }) => attribute === undefined && properties.has(property))
    .map((knob) => `${name}.${knob.property} = ${valueText(knob, properties.get(knob.property)!)};`);
  const heard = [...heardEvents].map((event) => `${name}.addEventListener('${event}', (event) => console.log(event));`);
  const all = [...own, ...heard, ...(called ? [`${name}.${called};`] : [])];
  return all.length > 0 ? [`const ${name} = document.querySelector('${tag}');`, ...all] : [];
}

function valueText({ kind }: Control, value: Value): string {
  if (kind === 'provider') return "async () => (await fetch('/stream-token', { method: 'POST' })).text()";
  if (kind === 'media') return "document.querySelector('canvas').captureStream(30)";
  if (kind === 'words') return String(value);
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
