/** What happens next, to everybody who is in the play. */
export const CUES = ['begin', 'end', 'break', 'mend', 'refuse', 'unplug'] as const;
export type Cue = (typeof CUES)[number];

const prompter = new EventTarget();

export function sendCue(name: Cue): void {
  prompter.dispatchEvent(new Event(name));
}

export function onCue(name: Cue, signal: AbortSignal, act: () => void): void {
  prompter.addEventListener(name, act, { signal });
}
