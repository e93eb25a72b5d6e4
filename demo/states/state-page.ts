import '../../src/define.js';
import { isLanguage, languages } from '../languages.js';
import { devices } from '../simulation/devices.js';
import { simulatedEndpoint } from '../simulation/scenario.js';
import { broadcasterStates } from './broadcaster-states.js';
import type { State } from './state.js';
import { until } from './until.js';
import { viewerStates } from './viewer-states.js';

const states: readonly State[] = [...viewerStates, ...broadcasterStates];
const stage = document.querySelector('main')!;
const page = document.documentElement;
let showing = new AbortController();

const SHARED = { accountId: 'main', streamName: 'keynote', token: 'token' };
const OWN = {
  'stream-viewer': { controls: true, autoplay: true },
  'stream-broadcaster': { viewerUrl: 'https://live.example.com/viewer?streamId=main/keynote' },
};
/** More often than controls go by themselves. */
const STIR_EVERY_MS = 1_000;

/**
 * `state.html?scheme=light&lang=ar#stream-viewer/waiting`: one tag in one state, as wide as the window. What it takes
 * to reach it is over once `data-shown` of the page says its name. The states are in `data-states`.
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
  Object.assign(element, SHARED, OWN[state.tag], { endpoint: simulatedEndpoint(state.situation) }, state.properties);
  element.style.colorScheme = page.style.colorScheme;
  stage.append(element);
  if (!state.states.includes('user-inactive')) keepAwake(element, signal);
  await state.reach?.(element, signal);
  await until(() => state.states.every((name) => element.matches(`:state(${name})`)), signal);
  await element.updateComplete;
  const changing = element
    .shadowRoot!.getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
  // One whose element is gone ends, too.
  await Promise.allSettled(changing.map(({ finished }) => finished));
  page.dataset['shown'] = nameOf(state);
}

/** As if somebody moved the mouse over it. */
function keepAwake(element: HTMLElement, signal: AbortSignal): void {
  const timer = setInterval(() => element.dispatchEvent(new PointerEvent('pointermove')), STIR_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

const nameOf = ({ tag, name }: State): string => `${tag}/${name}`;

const asked = new URLSearchParams(location.search);
const language = asked.get('lang') ?? 'en';
if (isLanguage(language)) {
  page.lang = language;
  page.dir = language === 'ar' ? 'rtl' : 'ltr';
  await languages[language].load();
}
page.style.colorScheme = asked.get('scheme') === 'light' ? 'light' : 'dark';
page.dataset['states'] = JSON.stringify(Object.fromEntries(states.map((state) => [nameOf(state), state.states])));
const look = (): void =>
  void show().catch((error: unknown) => {
    if (!showing.signal.aborted) throw error;
  });
addEventListener('hashchange', look);
look();
