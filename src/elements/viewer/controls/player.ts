import type { ReactiveControllerHost } from 'lit';
import type { ViewerPhase } from '../../../client/viewer/viewer-phase.js';
import type { VideoRenditionList } from '../playback/video-renditions.js';

/** The public interface of the tag, as far as its controls use it. */
export interface Player extends ReactiveControllerHost, HTMLElement {
  readonly controls: boolean;
  readonly noHotkeys: boolean;
  readonly noAutohide: boolean;
  readonly gesturesDisabled: boolean;
  readonly audioOnly: boolean;
  readonly streamName: string;
  readonly phase: ViewerPhase;
  readonly paused: boolean;
  readonly captureLatency: number | undefined;
  readonly videoRenditions: VideoRenditionList;
  muted: boolean;
  volume: number;
  play(): Promise<void>;
  pause(): void;
  getStats(): Promise<RTCStatsReport | undefined>;
}

export function togglePlay(player: Player): void {
  if (player.paused) player.play().catch(() => {});
  else player.pause();
}

/** Whether there is no picture to expect: the page wants none, or the stream has none. */
export function hasNoVideo({ audioOnly, phase }: Player): boolean {
  return audioOnly || (phase.name === 'live' && phase.media.getVideoTracks().length === 0);
}

/** Turns the sound off or on. A volume of 0, which only a page can set, becomes 0.5. */
export function toggleSound(player: Player): void {
  player.muted = effectiveVolume(player) > 0;
  if (!player.muted) player.volume ||= 0.5;
}

/** The audible volume, 0 to 1: 0 while muted. */
export function effectiveVolume({ muted, volume }: Player): number {
  return muted ? 0 : volume;
}

/** At 0 the player is muted, and `volume` keeps its value for later. */
export function setVolume(player: Player, volume: number): void {
  player.muted = volume <= 0;
  if (!player.muted) player.volume = Math.min(1, volume);
}
