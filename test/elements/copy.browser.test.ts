import { expect, fixtureCleanup, fixtureSync, html, waitUntil } from '@open-wc/testing';
import '../../src/define/stream-broadcaster.js';
import '../../src/pages/copy-field.js';
import { HeldTimers } from '../support/held-timers.js';

const PATIENCE = { timeout: 12_000, interval: 10 };

/** Both have a button that copies, and a live region that announces it. */
const subjects = {
  'the share panel of <stream-broadcaster>': async () => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    const element = document.createElement('stream-broadcaster');
    Object.assign(element, { srcObject: canvas.captureStream(1), viewerUrl: 'https://live.test/viewer' });
    fixtureSync(html`${element}`);
    const root = element.renderRoot;
    await waitUntil(() => root.querySelector('[part=share] button'), 'no panel', PATIENCE);
    return {
      button: root.querySelector('[part=share] button')!,
      status: root.querySelector('[part=share] [role=status]')!,
    };
  },
  'a field of the hosted pages': async () => {
    const field = document.createElement('copy-field');
    Object.assign(field, { label: 'Link', value: 'https://live.test/viewer' });
    fixtureSync(html`${field}`);
    await field.updateComplete;
    return { button: field.querySelector('button')!, status: field.querySelector('[role=status]')! };
  },
};

for (const [name, open] of Object.entries(subjects)) {
  describe(`a copy from ${name}`, () => {
    let written: string[];

    beforeEach(() => {
      written = [];
      Object.defineProperty(navigator.clipboard, 'writeText', {
        value: async (text: string) => void written.push(text),
        configurable: true,
      });
    });

    afterEach(() => {
      Reflect.deleteProperty(navigator.clipboard, 'writeText');
      fixtureCleanup();
    });

    it('is confirmed on the button for a moment', async () => {
      const confirmation = new HeldTimers(2_000);
      const { button, status } = await open();
      button.dispatchEvent(new MouseEvent('click'));
      await waitUntil(() => button.textContent.trim() === 'Copied', 'no confirmation', PATIENCE);
      expect(status.textContent.trim()).to.match(/copied$/i);
      confirmation.elapse();
      confirmation.restore();
      await waitUntil(() => button.textContent.trim() === 'Copy', 'the confirmation stays', PATIENCE);
      expect([status.textContent.trim(), written]).to.deep.equal(['', ['https://live.test/viewer']]);
    });

    it('is announced each time, also in quick succession', async () => {
      const { button, status } = await open();
      const announcements: string[] = [];
      const observer = new MutationObserver(() => announcements.push(status.textContent.trim()));
      observer.observe(status, { childList: true, subtree: true, characterData: true });
      const isCopied = (): boolean => /copied$/i.test(announcements.at(-1) ?? '');
      button.dispatchEvent(new MouseEvent('click'));
      await waitUntil(isCopied, 'not announced', PATIENCE);
      button.dispatchEvent(new MouseEvent('click'));
      await waitUntil(() => announcements.length >= 3 && isCopied(), `announced: ${announcements.join()}`, PATIENCE);
      observer.disconnect();
      expect(announcements.slice(1)).to.deep.equal(['', announcements[0]]);
    });
  });
}
