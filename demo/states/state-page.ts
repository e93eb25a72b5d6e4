import type { LitElement } from 'lit';
import '../../src/define.js';
import { isLanguage, languages } from '../languages.js';
import { devices } from '../simulation/devices.js';
import { frameRate } from '../simulation/generated-tracks.js';
import { responseTime } from '../simulation/timeline.js';
import { simulatedEndpoint } from '../simulation/scenario.js';
import { broadcasterStates } from './broadcaster-states.js';
import { until, type State } from './state.js';
import { viewerStates } from './viewer-states.js';

declare global {
  interface Window {
    changeLook(look: Look): Promise<void>;
  }
}

const states: readonly State[] = [...viewerStates, ...broadcasterStates];
const stage = document.querySelector('main')!;
const page = document.documentElement;
// Only the reached states are of interest, and a machine without a graphics card is busy with pictures.
responseTime.ms = 0;
frameRate.perSecond = 5;
let showing = new AbortController();

/** How the shown state looks. */
export interface Look {
  readonly lang: string;
  readonly scheme: string;
  /** Of the tag, in pixels. As wide as the window, if absent. */
  readonly width?: number;
}

const SHARED = { accountId: 'main', streamName: 'keynote', token: 'token' };
const BY_TAG = {
  'stream-viewer': { controls: true, autoplay: true },
  'stream-broadcaster': { viewerUrl: 'https://live.example.com/viewer?streamId=main/keynote' },
};
/** Less than the time after which the controls hide. */
const ACTIVITY_INTERVAL_MS = 1_000;

/**
 * `state.html?scheme=light&lang=ar#stream-viewer/waiting` shows one tag in one state, as wide as the window. `data-shown`
 * of the page has the name of the state once it is reached. `data-states` lists all states. `changeLook()` changes how the shown
 * state looks.
 */
async function show(): Promise<void> {
  showing.abort();
  showing = new AbortController();
  const { signal } = showing;
  const wanted = decodeURIComponent(location.hash.slice(1));
  const state = states.find((one) => nameOf(one) === wanted) ?? states[0]!;
  delete page.dataset['shown'];
  stage.replaceChildren();
  devices.scenario = state.devices ?? 'allowed';
  const element = document.createElement(state.tag);
  Object.assign(element, SHARED, BY_TAG[state.tag], { endpoint: simulatedEndpoint(state.scenario) }, state.properties);
  element.style.colorScheme = page.style.colorScheme;
  stage.append(element);
  if (!state.states.includes('user-inactive')) simulateActivity(element, signal);
  await state.reach?.(element, signal);
  await until(() => state.states.every((name) => element.matches(`:state(${name})`)), signal);
  await element.updateComplete;
  const animations = element
    .shadowRoot!.getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
  // An animation whose element is removed rejects.
  await Promise.allSettled(animations.map(({ finished }) => finished));
  page.dataset['shown'] = nameOf(state);
}

/** Moves the mouse over the tag, so that its controls stay visible. */
function simulateActivity(element: HTMLElement, signal: AbortSignal): void {
  const timer = setInterval(() => element.dispatchEvent(new PointerEvent('pointermove')), ACTIVITY_INTERVAL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

const nameOf = ({ tag, name }: State): string => `${tag}/${name}`;

/** Changes the language, the colours and the width of the tag. The state stays. */
async function changeLook({ lang, scheme, width }: Look): Promise<void> {
  if (isLanguage(lang)) {
    await languages[lang].load();
    page.lang = lang;
    page.dir = lang === 'ar' ? 'rtl' : 'ltr';
  }
  page.style.colorScheme = scheme === 'light' ? 'light' : 'dark';
  page.style.setProperty('--width', width === undefined ? '' : `${width}px`);
  const element = stage.querySelector<LitElement>(':scope > *');
  if (!element) return;
  element.style.colorScheme = page.style.colorScheme;
  // The change of the language is observed in a microtask, and then rendered.
  await Promise.resolve();
  await element.updateComplete;
}

const parameters = new URLSearchParams(location.search);
await changeLook({ lang: parameters.get('lang') ?? 'en', scheme: parameters.get('scheme') ?? 'dark' });
Object.assign(window, { changeLook });
page.dataset['states'] = JSON.stringify(Object.fromEntries(states.map((state) => [nameOf(state), state.states])));
const showState = (): void =>
  void show().catch((error: unknown) => {
    if (!showing.signal.aborted) throw error;
  });
addEventListener('hashchange', showState);
showState();
