import { expect, fixture, html } from '@open-wc/testing';
import type { LitElement } from 'lit';
import '../../src/define.js';

describe('the custom states of a tag', () => {
  const own = Object.getOwnPropertyDescriptor(ElementInternals.prototype, 'states')!;
  let reads = 0;

  before(() => {
    Object.defineProperty(ElementInternals.prototype, 'states', {
      configurable: true,
      get(this: ElementInternals) {
        reads++;
        return own.get!.call(this);
      },
    });
  });

  after(() => {
    Object.defineProperty(ElementInternals.prototype, 'states', own);
  });

  for (const tag of [html`<stream-viewer></stream-viewer>`, html`<stream-broadcaster></stream-broadcaster>`])
    it(`are in one object as long as it lives, because WebKit forgets them with the object: ${tag.strings[0]}`, async () => {
      reads = 0;
      const element = await fixture<LitElement>(tag);
      element.requestUpdate();
      await element.updateComplete;
      expect(element.matches(':state(idle)')).to.equal(true);
      expect(reads).to.equal(1);
    });
});
