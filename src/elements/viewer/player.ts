import type { ReactiveControllerHost } from 'lit';
import type { VideoLayer } from '../../client/layers.js';
import type { ViewerPhase } from '../../client/viewer-phase.js';

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

export function toggleSound(player: Player): void {
  player.muted = !player.muted;
}

/** What is heard, 0 to 1. */
export function heardVolume({ muted, volume }: Player): number {
  return muted ? 0 : volume;
}

export function setVolume(player: Player, volume: number): void {
  player.volume = Math.min(1, Math.max(0, volume));
  player.muted = volume <= 0;
}
