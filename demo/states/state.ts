import type { DeviceScenario } from '../simulation/devices.js';

/** One thing that can be seen of a tag, and how it comes to be seen. */
export interface State<Element extends HTMLElement = HTMLElement> {
  readonly tag: 'stream-viewer' | 'stream-broadcaster';
  readonly name: string;
  /** Of the service: see `simulation/situation.ts`. */
  readonly situation: string;
  /** Of camera and microphone; absent: they work. */
  readonly devices?: DeviceScenario;
  readonly properties?: Partial<Element>;
  /** Custom states that hold then, and none but these. `quiet` comes and goes with the person in front of it. */
  readonly states: readonly string[];
  /** What is done once it is on the page, until there is to be seen what should be. */
  reach?(element: Element, signal: AbortSignal): Promise<void>;
}
