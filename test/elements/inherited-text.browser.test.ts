import { expect, fixture, html } from '@open-wc/testing';
import '../../src/define.js';
import type { StreamBroadcasterElement } from '../../src/elements/broadcaster/stream-broadcaster-element.js';
import type { StreamViewerElement } from '../../src/elements/viewer/stream-viewer-element.js';

/** Styles of the text around a tag. An element inherits all of them, also in a shadow root. */
const INHERITED = {
  font: 'italic bold 40px / 4 serif',
  'letter-spacing': '9px',
  'word-spacing': '9px',
  'text-align': 'right',
  'text-indent': '40px',
  'text-shadow': '0 0 3px red',
  'text-transform': 'uppercase',
  'white-space': 'nowrap',
};
const COMPARED = [
  ...Object.keys(INHERITED),
  'font-size',
  'font-style',
  'font-weight',
  'line-height',
  'height',
  'width',
];

type Tag = StreamViewerElement | StreamBroadcasterElement;

/** For each element of a shadow tree: its computed text styles and its size. */
async function textStyles(tag: 'stream-viewer' | 'stream-broadcaster', inherited: object): Promise<string[]> {
  const style = Object.entries({ width: '640px', ...inherited })
    .map(([name, value]) => `${name}: ${value}`)
    .join(';');
  const page = await fixture<HTMLElement>(html`<div style=${style}></div>`);
  const element = document.createElement(tag) as Tag;
  element.streamName = 'keynote';
  element.endpoint = 'https://live.test';
  page.append(element);
  await element.updateComplete;
  return [...element.shadowRoot!.querySelectorAll('*')].map((shown) => {
    const computed = getComputedStyle(shown);
    const values = COMPARED.map((name) => `${name}: ${computed.getPropertyValue(name)}`);
    return `<${shown.localName} class="${shown.getAttribute('class') ?? ''}"> ${values.join('; ')}`;
  });
}

describe('the text of a tag', () => {
  for (const tag of ['stream-viewer', 'stream-broadcaster'] as const) {
    it(`of <${tag}> has the same styles, whatever styles it could inherit`, async () => {
      const plain = await textStyles(tag, {});
      expect(plain.length).to.be.above(5);
      expect(await textStyles(tag, INHERITED)).to.deep.equal(plain);
    });
  }

  it('has the styles that the page sets on the tag itself', async () => {
    const viewer = await fixture<StreamViewerElement>(html`<stream-viewer></stream-viewer>`);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('stream-viewer { text-transform: uppercase }');
    document.adoptedStyleSheets.push(sheet);
    try {
      expect(getComputedStyle(viewer.shadowRoot!.querySelector('b')!).textTransform).to.equal('uppercase');
    } finally {
      document.adoptedStyleSheets.pop();
    }
  });
});
