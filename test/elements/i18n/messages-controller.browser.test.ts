import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/define.js';
import type { StreamBroadcasterElement } from '../../../src/elements/broadcaster/stream-broadcaster-element.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import type * as languages from '../../../src/elements/i18n/languages.js';
import { registerMessages } from '../../../src/elements/i18n/languages.js';
import '../../../src/i18n/ar.js';
import '../../../src/i18n/de.js';

describe('the messages of the tags', () => {
  const page = document.documentElement;
  const text = (element: Element) => element.shadowRoot!.textContent.replaceAll(/\s+/g, ' ');
  const box = (element: Element) => element.shadowRoot!.querySelector<HTMLElement>('[lang]')!;
  /** Attributes are observed: a change is told in a microtask, and shown in the next. */
  const settled = async (element: StreamViewerElement | StreamBroadcasterElement) => {
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
  };

  afterEach(() => page.removeAttribute('lang'));

  it('are English where the page and the browser ask for no other', async () => {
    const element = await fixture<StreamViewerElement>(html`<stream-viewer></stream-viewer>`);
    expect(text(element)).to.contain('No stream selected');
    expect([box(element).lang, box(element).dir]).to.deep.equal(['en', 'ltr']);
  });

  it('follow the language of the page, also when that changes', async () => {
    page.lang = 'de-AT';
    const element = await fixture<StreamViewerElement>(html`<stream-viewer></stream-viewer>`);
    expect(text(element)).to.contain('Kein Stream ausgewählt');
    expect(box(element).lang).to.equal('de');
    page.lang = 'en';
    await settled(element);
    expect(text(element)).to.contain('No stream selected');
  });

  it('follow the nearest element that names a language, through shadow roots', async () => {
    page.lang = 'fr';
    const outside = await fixture(html`<div lang="de"></div>`);
    const root = outside.attachShadow({ mode: 'open' });
    const element = document.createElement('stream-viewer');
    root.append(element);
    await element.updateComplete;
    expect(text(element)).to.contain('Kein Stream ausgewählt');
  });

  it('are English, and marked so, in a language that the page did not load', async () => {
    page.lang = 'pl';
    const element = await fixture<StreamViewerElement>(html`<stream-viewer></stream-viewer>`);
    expect(text(element)).to.contain('No stream selected');
    expect(box(element).lang).to.equal('en');
  });

  it('run from right to left in Arabic, in both tags', async () => {
    for (const template of [
      html`<stream-viewer lang="ar"></stream-viewer>`,
      html`<stream-broadcaster lang="ar"></stream-broadcaster>`,
    ]) {
      const element = await fixture<StreamViewerElement | StreamBroadcasterElement>(template);
      expect(getComputedStyle(element.shadowRoot!.querySelector('[part=cover]')!).direction).to.equal('rtl');
      await expect(element).to.be.accessible();
    }
  });

  it('arrive when their language does', async () => {
    const element = await fixture<StreamViewerElement>(html`<stream-viewer lang="eo"></stream-viewer>`);
    expect(text(element)).to.contain('No stream selected');
    registerMessages('eo', { noStream: 'Neniu fluo elektita' });
    await settled(element);
    expect(text(element)).to.contain('Neniu fluo elektita');
  });

  it('give way to those of one element', async () => {
    const element = await fixture<StreamViewerElement>(
      html`<stream-viewer lang="de" .messages=${{ noStream: 'Gleich geht es los' }}></stream-viewer>`,
    );
    expect(text(element)).to.contain('Gleich geht es los');
    element.messages = {};
    await element.updateComplete;
    expect(text(element)).to.contain('Kein Stream ausgewählt');
  });

  it('are understood from another copy of the package', async () => {
    const copy = '../../../src/elements/i18n/languages.ts?copy';
    const { registerMessages: registerElsewhere }: typeof languages = await import(copy);
    expect(registerElsewhere).not.to.equal(registerMessages);
    registerElsewhere('la', { noStream: 'Nihil electum est' });
    const element = await fixture<StreamViewerElement>(html`<stream-viewer lang="la"></stream-viewer>`);
    expect(text(element)).to.contain('Nihil electum est');
  });
});
