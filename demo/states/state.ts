import type { DeviceScenario } from '../simulation/devices.js';

/** One state of a tag, and how it is reached. */
export interface State<Element extends HTMLElement = HTMLElement> {
  readonly tag: 'stream-viewer' | 'stream-broadcaster';
  readonly name: string;
  /** The scenario of the server: see `simulation/scenario.ts`. */
  readonly scenario: string;
  /** The scenario of camera and microphone. Absent: they work. */
  readonly devices?: DeviceScenario;
  readonly properties?: Partial<Element>;
  /** All custom states that the tag has then. `user-inactive` depends on the mouse. */
  readonly states: readonly string[];
  /** Runs after the tag was added to the page. Resolves when the state is reached. */
  reach?(element: Element, signal: AbortSignal): Promise<void>;
}

/** Checks every 30 ms. @throws the reason of `signal` when `signal` aborts */
export async function until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isTrue()) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    signal.throwIfAborted();
  }
}
