import type { ReactiveControllerHost } from 'lit';
import type { VideoLayer } from '../../../client/viewer/layers.js';
import type { ViewerPhase } from '../../../client/viewer/viewer-phase.js';

/** What the controls control: the tag, by what every page can do with it. */
export interface Player extends ReactiveControllerHost, HTMLElement {
  readonly controls: boolean;
  readonly phase: ViewerPhase;
  readonly paused: boolean;
  readonly layers: readonly VideoLayer[];
  muted: boolean;
  volume: number;
  quality: string;
  play(): Promise<void>;
  pause(): void;
  getStats(): Promise<RTCStatsReport | undefined>;
}

export function togglePlay(player: Player): void {
  if (player.paused) player.play().catch(() => {});
  else player.pause();
}

/** What is turned on can be heard: a volume of 0, which only a page can set, becomes half. */
export function toggleSound(player: Player): void {
  player.muted = effectiveVolume(player) > 0;
  if (!player.muted) player.volume ||= 0.5;
}

/** What is heard, 0 to 1. */
export function effectiveVolume({ muted, volume }: Player): number {
  return muted ? 0 : volume;
}

/** At 0 the sound is off, and `volume` stays what it was for when the sound is turned on again. */
export function setVolume(player: Player, volume: number): void {
  player.muted = volume <= 0;
  if (!player.muted) player.volume = Math.min(1, volume);
}
