import type { PictureHeight } from '../../elements/picture-height.js';

/** Options of the hosted player, from the query of its URL (wire-facts 4.1). */
export interface PlayerOptions {
  readonly autoplay: boolean;
  readonly controls: boolean;
  readonly defaultMuted: boolean;
  readonly quality: PictureHeight;
  /** Parts of the tag that are not shown. */
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

/** Names of heights that depend on the stream: its largest, a medium one, its smallest. */
const QUALITIES: Readonly<Record<string, number>> = { high: 4320, medium: 480, low: 1 };

/** A value that cannot be read counts as absent. */
export function readPlayerOptions({ searchParams }: URL): PlayerOptions {
  const isTrue = (name: string, otherwise: boolean): boolean => {
    const value = searchParams.get(name);
    return value === null ? otherwise : !/^(false|0|no|off)$/i.test(value);
  };
  const quality = searchParams.get('startingQuality') ?? '';
  return {
    autoplay: isTrue('autoplay', true),
    controls: isTrue('controls', true),
    defaultMuted: isTrue('muted', false),
    quality:
      (Object.hasOwn(QUALITIES, quality) ? QUALITIES[quality] : undefined) ??
      (/^[1-9]\d{0,4}$/.test(quality) ? Number(quality) : 'auto'),
    hiddenParts: (searchParams.get('hideButtons') ?? '')
      .split(',')
      .flatMap((name) => (Object.hasOwn(PARTS, name.trim()) ? PARTS[name.trim()]! : [])),
  };
}
