import { fixtureCleanup, fixtureSync, html, waitUntil } from '@open-wc/testing';
import '../../../src/define/stream-viewer.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';

export const PATIENCE = { timeout: 12_000, interval: 10 };

export const POSTER = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';

/** A viewer of acme/keynote, with controls. `changes` are set before it is inserted into the page. */
export async function mount(changes: Partial<StreamViewerElement> = {}): Promise<StreamViewerElement> {
  const viewer = document.createElement('stream-viewer');
  Object.assign(viewer, {
    endpoint: 'https://live.test',
    accountId: 'acme',
    streamName: 'keynote',
    autoplay: true,
    controls: true,
  });
  Object.assign(viewer, changes);
  viewer.style.width = '640px';
  fixtureSync(html`${viewer}`);
  await viewer.updateComplete;
  return viewer;
}

export { fixtureCleanup as unmount };

export { reachPhase as inPhase } from '../../support/client/reach-phase.js';

/** Waits until the video plays. */
export async function playing(viewer: StreamViewerElement): Promise<void> {
  await waitUntil(() => viewer.videoWidth > 0, 'no picture', PATIENCE);
  const before = viewer.currentTime;
  await waitUntil(() => viewer.currentTime > before, 'the picture does not move', PATIENCE);
  await waitUntil(() => viewer.phase.name === 'live', 'not live', PATIENCE);
}

/** The visible text of the shadow tree. */
export const text = (viewer: StreamViewerElement): string =>
  [...viewer.shadowRoot!.querySelectorAll('b, span, dt, dd, label, legend, button')]
    .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
    .filter(({ children }) => [...children].every(({ localName }) => localName === 'input'))
    .map((element) => element.textContent)
    .join(' ');

export const part = <E extends HTMLElement = HTMLElement>(viewer: StreamViewerElement, name: string): E =>
  viewer.shadowRoot!.querySelector<E>(`[part~="${name}"]`)!;

export const shows = (viewer: StreamViewerElement, name: string): boolean =>
  part(viewer, name)?.checkVisibility() ?? false;

/** Presses the settings button, and waits for the settings: their code is loaded when they are first opened. */
export async function openSettings(viewer: StreamViewerElement): Promise<void> {
  part(viewer, 'settings-button').click();
  await waitUntil(() => shows(viewer, 'settings'), 'no settings', PATIENCE);
}

export const press = (target: Element, key: string): boolean =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));

/** WebKitGTK keeps the volume as a number of 32 bits: 0.4 is 0.4000000059604645. */
export const volumeOf = ({ volume }: StreamViewerElement): number => Number(volume.toFixed(6));
