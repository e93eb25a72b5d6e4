import type { PictureHeight } from '../../elements/picture-height.js';
import { queryFlag } from '../query-flag.js';

/** Options of the hosted player, from the query of its URL. */
export interface PlayerOptions {
  readonly autoplay: boolean;
  readonly controls: boolean;
  readonly defaultMuted: boolean;
  readonly audioOnly: boolean;
  readonly dvr: boolean;
  readonly quality: PictureHeight;
  /** The parts of the tag to hide. */
  readonly hiddenParts: readonly string[];
}

/** Parts of the tag by the names in `hideButtons`. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  play: ['play'],
  volume: ['mute', 'volume'],
  pip: ['pip'],
  fullscreen: ['fullscreen'],
  cast: ['cast'],
  liveBadge: ['live-badge'],
  userCount: ['viewer-count'],
  settings: ['settings-button', 'settings'],
};

/** Parameters of older links, and the names in `hideButtons` that each stands for. */
const HIDING: Readonly<Record<string, readonly string[]>> = {
  disableVolume: ['volume'],
  disablePlay: ['play'],
  disableFull: ['fullscreen'],
  disableAudio: ['volume'],
  videoOnly: ['volume'],
};

/** Heights by name. The server sends the largest layer that is not higher, or else the smallest. */
const QUALITIES: Readonly<Record<string, number>> = { high: 4320, medium: 480, low: 1 };

/** A value that cannot be read counts as absent. */
export function readPlayerOptions({ searchParams }: URL): PlayerOptions {
  const isTrue = (name: string, otherwise: boolean): boolean => queryFlag(searchParams, name, otherwise);
  const hidden = [
    ...(searchParams.get('hideButtons') ?? '').split(',').map((name) => name.trim()),
    ...Object.entries(HIDING).flatMap(([name, hidden]) => (isTrue(name, false) ? hidden : [])),
  ];
  const quality = searchParams.get('startingQuality') ?? '';
  return {
    autoplay: isTrue('autoplay', true),
    controls: isTrue('controls', true) && !isTrue('disableControls', false),
    defaultMuted: isTrue('muted', false) || isTrue('disableAudio', false) || isTrue('videoOnly', false),
    audioOnly: isTrue('audioOnly', false) || isTrue('disableVideo', false),
    dvr: isTrue('dvr', false),
    quality:
      (Object.hasOwn(QUALITIES, quality) ? QUALITIES[quality] : undefined) ??
      (/^[1-9]\d{0,4}$/.test(quality) ? Number(quality) : 'auto'),
    hiddenParts: [...new Set(hidden)].flatMap((name) => (Object.hasOwn(PARTS, name) ? PARTS[name]! : [])),
  };
}
