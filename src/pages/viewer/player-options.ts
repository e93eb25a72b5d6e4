/** How the hosted player is to look and begin, as its address says (wire-facts 4.1). */
export interface PlayerOptions {
  readonly autoplay: boolean;
  readonly controls: boolean;
  readonly muted: boolean;
  /** A height, or `auto`. */
  readonly quality: string;
  /** Parts of the tag that are not to be seen. */
  readonly hiddenParts: readonly string[];
}

/** What links call the parts of the player. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  play: ['play'],
  volume: ['mute', 'volume'],
  pip: ['pip'],
  fullscreen: ['fullscreen'],
  cast: ['cast'],
  liveBadge: ['badge'],
  userCount: ['viewers'],
  settings: ['settings', 'menu'],
};

/** Names for heights that depend on the stream: the largest there is, one in the middle, the smallest. */
const QUALITIES: Readonly<Record<string, string>> = { high: '4320', medium: '480', low: '1' };

/** What cannot be read is as if it were not there. */
export function readPlayerOptions({ searchParams }: URL): PlayerOptions {
  const isTrue = (name: string, otherwise: boolean): boolean => {
    const value = searchParams.get(name);
    return value === null ? otherwise : !/^(false|0|no|off)$/i.test(value);
  };
  const quality = searchParams.get('startingQuality') ?? '';
  return {
    autoplay: isTrue('autoplay', true),
    controls: isTrue('controls', true),
    muted: isTrue('muted', false),
    quality:
      (Object.hasOwn(QUALITIES, quality) ? QUALITIES[quality] : undefined) ??
      (/^[1-9]\d{0,4}$/.test(quality) ? quality : 'auto'),
    hiddenParts: (searchParams.get('hideButtons') ?? '')
      .split(',')
      .flatMap((name) => (Object.hasOwn(PARTS, name.trim()) ? PARTS[name.trim()]! : [])),
  };
}
