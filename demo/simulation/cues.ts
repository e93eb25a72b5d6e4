/** Events that buttons of the playground trigger, in all simulations of the page. */
export const CUES = [
  'begin',
  'end',
  'break',
  'mend',
  'slow',
  'interrupt',
  'stop',
  'refuse',
  'unplug',
  'record',
] as const;
export type Cue = (typeof CUES)[number];

const cues = new EventTarget();

export function sendCue(name: Cue): void {
  cues.dispatchEvent(new Event(name));
}

export function onCue(name: Cue, signal: AbortSignal, listener: () => void): void {
  cues.addEventListener(name, listener, { signal });
}
