import { expect, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { FakeService } from '../../support/client/fake-service.js';
import { mount, openSettings, part, PATIENCE, playing, text, unmount } from './viewer-fixture.js';

describe('the statistics of <stream-viewer>', () => {
  let service: FakeService;
  let viewer: StreamViewerElement;

  beforeEach(async () => {
    service = new FakeService();
    viewer = await mount({ muted: true, noAutohide: true });
    await playing(viewer);
    await openSettings(viewer);
    part(viewer, 'settings').querySelector<HTMLElement>('label:last-of-type')!.click();
    part(viewer, 'settings-button').click();
    await waitUntil(() => /Bitrate [\d.]+ Mb\/s/.test(text(viewer)), 'no statistics', PATIENCE);
  });

  afterEach(() => {
    unmount();
    service.close();
  });

  const resize = (width: number, height: number): void =>
    void Object.assign(viewer.style, { width: `${width}px`, height: `${height}px` });
  const panel = () => part(viewer, 'statistics');
  const barTop = () => part(viewer, 'play').getBoundingClientRect().top;

  for (const [width, height] of [
    [426, 240],
    [462, 260],
    [466, 262],
    [480, 270],
    [640, 360],
    [1280, 720],
  ] as const) {
    it(`are all above the bar in a player of ${width} × ${height}`, () => {
      resize(width, height);
      const { bottom } = panel().getBoundingClientRect();
      const hidden = [...panel().children].filter((row) => row.getBoundingClientRect().bottom > bottom + 1);
      expect(bottom).to.be.at.most(barTop());
      expect(hidden.map((row) => row.textContent)).to.deep.equal([]);
    });
  }

  for (const [width, height] of [
    [200, 180],
    [200, 300],
    [280, 158],
    // Only Firefox, whose rows are taller, has to scroll.
    [320, 180],
  ] as const) {
    it(`can be scrolled, above the bar, in a small player of ${width} × ${height}`, () => {
      resize(width, height);
      expect(panel().getBoundingClientRect().bottom).to.be.at.most(barTop());
      panel().scrollTo(0, panel().scrollHeight);
      const { bottom } = panel().lastElementChild!.getBoundingClientRect();
      expect(bottom).to.be.at.most(panel().getBoundingClientRect().bottom + 1);
    });
  }
});
