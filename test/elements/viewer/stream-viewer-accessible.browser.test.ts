import { expect, waitUntil } from '@open-wc/testing';
import type { AxeResults } from 'axe-core';
import 'axe-core/axe.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import '../../../src/i18n/ar.js';
import { FakeService, refused } from '../../support/client/fake-service.js';
import { inPhase, mount, openSettings, PATIENCE, playing, unmount } from './viewer-fixture.js';

const STATES: Record<
  string,
  (service: FakeService, viewer: () => Promise<StreamViewerElement>) => Promise<StreamViewerElement>
> = {
  'without a stream': async (_, mounted) => {
    const viewer = await mounted();
    viewer.streamName = '';
    return viewer;
  },
  'at the start': async (_, mounted) => {
    const viewer = await mounted();
    viewer.autoplay = false;
    return viewer;
  },
  loading: async (_, mounted) => {
    window.fetch = () => new Promise(() => {});
    return mounted();
  },
  waiting: async (service, mounted) => {
    service.isLive = false;
    return reached(await mounted(), 'waiting');
  },
  live: async (_, mounted) => {
    const viewer = await mounted();
    await playing(viewer);
    return viewer;
  },
  paused: async (_, mounted) => {
    const viewer = await mounted();
    await playing(viewer);
    viewer.pause();
    return viewer;
  },
  'with its menu': async (_, mounted) => {
    const viewer = await mounted();
    await playing(viewer);
    await openSettings(viewer);
    return viewer;
  },
  ended: async (service, mounted) => {
    const viewer = await reached(await mounted(), 'live');
    service.endStream();
    return viewer;
  },
  reconnecting: async (service, mounted) => {
    const viewer = await mounted();
    await playing(viewer);
    window.fetch = () => new Promise(() => {});
    service.open[0]!.close();
    return reached(viewer, 'reconnecting');
  },
  'without an answer': async (_, mounted) => {
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    return reached(await mounted(), 'reconnecting');
  },
  rejected: async (service, mounted) => {
    service.answer = refused(409, 'token_full', 'too many viewers');
    return reached(await mounted(), 'rejected');
  },
  failed: async (service, mounted) => {
    service.answer = { status: 200, body: {} };
    return reached(await mounted(), 'failed');
  },
};

async function reached(viewer: StreamViewerElement, phase: string): Promise<StreamViewerElement> {
  await inPhase(viewer, phase);
  return viewer;
}

declare global {
  interface Window {
    axe: { run(element: Element, options: object): Promise<AxeResults> };
  }
}

/** WCAG 2.2, A and AA, and the best practices that axe checks. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function faults(viewer: StreamViewerElement): Promise<readonly string[]> {
  const { violations, passes } = await window.axe.run(viewer, { runOnly: TAGS });
  expect(passes.length).to.be.greaterThan(0);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe('<stream-viewer> is accessible', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
    service.hasSound = true;
  });

  afterEach(() => {
    unmount();
    service.close();
  });

  for (const [state, reach] of Object.entries(STATES)) {
    for (const [variant, style, lang] of [
      ['dark', 'color-scheme: dark', 'en'],
      ['light, in Arabic', 'color-scheme: light', 'ar'],
    ] as const) {
      it(`${state}, ${variant}`, async () => {
        const viewer = await reach(service, async () => {
          const mounted = await mount({ muted: true, token: 'sesame', lang });
          mounted.style.cssText += style;
          return mounted;
        });
        await viewer.updateComplete;
        expect(await faults(viewer)).to.deep.equal([]);
      });
    }
  }

  it('with a keyboard: the tab order of the controls is their order on the screen', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    const stops = [...viewer.shadowRoot!.querySelectorAll<HTMLElement>('button, input')].filter(
      (element) => element.tabIndex >= 0 && element.checkVisibility(),
    );
    const lefts = stops.map((element) => element.getBoundingClientRect().left);
    expect(lefts.length).to.be.greaterThan(3);
    expect(lefts).to.deep.equal(lefts.toSorted((a, b) => a - b));
  });

  it('with its language, direction and a label on the group', async () => {
    const viewer = await mount({ lang: 'ar' });
    await waitUntil(() => viewer.phase.name === 'live', 'not live', PATIENCE);
    const box = viewer.shadowRoot!.querySelector<HTMLElement>('[role=group]')!;
    expect([box.lang, box.dir]).to.deep.equal(['ar', 'rtl']);
    expect(box.ariaLabel).not.to.equal('');
  });
});
