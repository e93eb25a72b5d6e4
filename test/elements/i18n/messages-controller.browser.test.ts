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
  /** Waits for the MutationObserver that reports a changed attribute, and for the update after it. */
  const settled = async (element: StreamViewerElement | StreamBroadcasterElement) => {
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
  };

  afterEach(() => page.removeAttribute('lang'));

  it('are English unless the page or the browser names another language', async () => {
    const element = await fixture<StreamViewerElement>(html`<stream-viewer></stream-viewer>`);
    expect(text(element)).to.contain('No stream selected');
    expect([box(element).lang, box(element).dir]).to.deep.equal(['en', 'ltr']);
  });

  it('are in the language of the page, also after the language changes', async () => {
    page.lang = 'de-AT';
    const element = await fixture<StreamViewerElement>(html`<stream-viewer></stream-viewer>`);
    expect(text(element)).to.contain('Kein Stream ausgewählt');
    expect(box(element).lang).to.equal('de');
    page.lang = 'en';
    await settled(element);
    expect(text(element)).to.contain('No stream selected');
  });

  it('are in the language of the nearest element that has one, through shadow roots', async () => {
    page.lang = 'fr';
    const outside = await fixture(html`<div lang="de"></div>`);
    const root = outside.attachShadow({ mode: 'open' });
    const element = document.createElement('stream-viewer');
    root.append(element);
    await element.updateComplete;
    expect(text(element)).to.contain('Kein Stream ausgewählt');
  });

  it('are English, with lang="en", for a language that the page did not load', async () => {
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

  it('change when their language is registered later', async () => {
    const element = await fixture<StreamViewerElement>(html`<stream-viewer lang="eo"></stream-viewer>`);
    expect(text(element)).to.contain('No stream selected');
    registerMessages('eo', { noStream: 'Neniu fluo elektita' });
    await settled(element);
    expect(text(element)).to.contain('Neniu fluo elektita');
  });

  it('can be replaced for one element', async () => {
    const element = await fixture<StreamViewerElement>(
      html`<stream-viewer lang="de" .messages=${{ noStream: 'Gleich geht es los' }}></stream-viewer>`,
    );
    expect(text(element)).to.contain('Gleich geht es los');
    element.messages = {};
    await element.updateComplete;
    expect(text(element)).to.contain('Kein Stream ausgewählt');
  });

  it('include those that another copy of the package registered', async () => {
    const copy = '../../../src/elements/i18n/languages.ts?copy';
    const { registerMessages: registerInCopy }: typeof languages = await import(copy);
    expect(registerInCopy).not.to.equal(registerMessages);
    registerInCopy('la', { noStream: 'Nihil electum est' });
    const element = await fixture<StreamViewerElement>(html`<stream-viewer lang="la"></stream-viewer>`);
    expect(text(element)).to.contain('Nihil electum est');
  });
});
