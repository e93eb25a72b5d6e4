import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UNCHANGED, type Changes } from '../../../demo/playground/changes.js';
import { controlsOf } from '../../../demo/playground/control.js';
import { codeSample } from '../../../demo/playground/code-sample.js';
import { analyzeTags } from '../../../scripts/editor-data/analyze-tags.js';

const SCRIPT = '<script type="module" src="https://your.server/streamgate.js"></script>';

describe('the code sample of the playground', async () => {
  const viewer = (await analyzeTags()).find(({ name }) => name === 'stream-viewer')!;
  const code = (changes: Partial<Changes> = {}): string =>
    codeSample(viewer.name, controlsOf(viewer), { ...UNCHANGED, ...changes });

  it('is the script and the tag where nothing was changed', () => {
    assert.equal(code(), `${SCRIPT}\n\n<stream-viewer></stream-viewer>`);
  });

  it('has the attributes that were changed, and no others', () => {
    const properties = new Map<string, string | boolean>([
      ['controls', true],
      ['autoplay', false],
      ['streamName', 'a "b"'],
    ]);
    assert.equal(
      code({ properties }),
      `${SCRIPT}\n\n<stream-viewer stream-name="a &quot;b&quot;" controls></stream-viewer>`,
    );
  });

  it('switches off what is on by default', () => {
    const controls = controlsOf({
      attributes: [{ name: 'camera-off', description: '', type: 'boolean' }],
      properties: [
        { name: 'cameraEnabled', attribute: 'camera-off', description: '', type: 'boolean', default: 'true' },
      ],
    });
    const markup = (isEnabled: boolean): string | undefined =>
      codeSample('stream-broadcaster', controls, { ...UNCHANGED, properties: new Map([['cameraEnabled', isEnabled]]) })
        .split('\n')
        .at(-1);
    assert.equal(markup(false), '<stream-broadcaster camera-off></stream-broadcaster>');
    assert.equal(markup(true), '<stream-broadcaster></stream-broadcaster>');
  });

  it('does not contain the token', () => {
    assert.match(code({ properties: new Map([['token', 'secret']]) }), /<stream-viewer token="…">/);
  });

  it('sets properties without an attribute by script', () => {
    const properties = new Map<string, string | number | boolean>([
      ['volume', 0.5],
      ['tokenProvider', true],
      ['messages', '{ "live": "On air" }'],
    ]);
    const written = code({ properties });
    assert.match(written, /viewer\.volume = 0\.5;/);
    assert.match(written, /viewer\.tokenProvider = async/);
    assert.match(written, /viewer\.messages = \{ "live": "On air" \};/);
  });

  it('has the content of slots as text, not as markup', () => {
    const slots = new Map([
      ['waiting', '<b>Soon</b>'],
      ['', 'English'],
    ]);
    const written = code({ slots });
    assert.match(written, /<p slot="waiting">&lt;b>Soon&lt;\/b><\/p>/);
    assert.match(written, /<track kind="captions" srclang="en" label="English"/);
  });

  it('has the styles, and the outlines of parts and states', () => {
    const written = code({
      styles: new Map([['--stream-accent', '#00ff00']]),
      markedParts: new Set(['play']),
      markedStates: new Set(['live']),
    });
    assert.match(written, /--stream-accent: #00ff00;/);
    assert.match(written, /stream-viewer::part\(play\) \{/);
    assert.match(written, /stream-viewer:state\(live\) \{/);
  });

  it('loads a language and sets it on the tag', () => {
    const written = code({ lang: 'de' });
    assert.match(written, /src="https:\/\/your\.server\/i18n\/de\.js"/);
    assert.match(written, /<stream-viewer lang="de">/);
  });

  it('listens to the chosen events and calls the chosen method', () => {
    const written = code({ loggedEvents: new Set(['stream-live']), called: 'retry()' });
    assert.match(written, /viewer\.addEventListener\('stream-live', /);
    assert.match(written, /viewer\.retry\(\);/);
  });
});
