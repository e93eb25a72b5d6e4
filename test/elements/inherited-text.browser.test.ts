import { expect, fixture, html } from '@open-wc/testing';
import '../../src/define.js';
import type { StreamBroadcasterElement } from '../../src/elements/broadcaster/stream-broadcaster-element.js';
import type { StreamViewerElement } from '../../src/elements/viewer/stream-viewer-element.js';

/** What a page may say of the text around a tag. All of it is inherited, also into a shadow root. */
const AROUND = {
  font: 'italic bold 40px / 4 serif',
  'letter-spacing': '9px',
  'word-spacing': '9px',
  'text-align': 'right',
  'text-indent': '40px',
  'text-shadow': '0 0 3px red',
  'text-transform': 'uppercase',
  'white-space': 'nowrap',
};
const LOOKED_AT = [...Object.keys(AROUND), 'font-size', 'font-style', 'font-weight', 'line-height', 'height', 'width'];

type Tag = StreamViewerElement | StreamBroadcasterElement;

/** Each element that a tag shows, with how its text is set and how large it is. */
async function looks(tag: 'stream-viewer' | 'stream-broadcaster', around: object): Promise<string[]> {
  const style = Object.entries({ width: '640px', ...around })
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
    const values = LOOKED_AT.map((name) => `${name}: ${computed.getPropertyValue(name)}`);
    return `<${shown.localName} class="${shown.getAttribute('class') ?? ''}"> ${values.join('; ')}`;
  });
}

describe('the text of a tag', () => {
  for (const tag of ['stream-viewer', 'stream-broadcaster'] as const) {
    it(`of <${tag}> is set as on an empty page, whatever the page says of its own`, async () => {
      const plain = await looks(tag, {});
      expect(plain.length).to.be.above(5);
      expect(await looks(tag, AROUND)).to.deep.equal(plain);
    });
  }

  it('is as the page says of the tag itself', async () => {
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
