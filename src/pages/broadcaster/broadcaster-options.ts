import type { StreamBroadcasterElement } from '../../elements/broadcaster/stream-broadcaster-element.js';
import { codecOf, numberOf } from '../../elements/broadcaster/attribute-converters.js';
import { toPictureHeight, type PictureHeight } from '../../elements/picture-height.js';
import { queryFlag } from '../query-flag.js';

/** Options of the hosted broadcaster, from the query of its URL. They are properties of its tag. */
export type BroadcasterPageOptions = Pick<
  StreamBroadcasterElement,
  'microphoneEnabled' | 'cameraEnabled' | 'resolution' | 'sourceId' | 'codec' | 'simulcast' | 'maxBitrate'
>;

const LONGEST_SOURCE_ID = 128;

/** A value that cannot be read counts as absent. */
export function readBroadcasterOptions({ searchParams }: URL): BroadcasterPageOptions {
  const isOn = (...names: readonly string[]): boolean => names.some((name) => queryFlag(searchParams, name));
  const sourceId = searchParams.get('sourceId') ?? '';
  const kilobits = numberOf(searchParams.get('videoTargetBitrate')) ?? 0;
  return {
    microphoneEnabled: !isOn('noAudio', 'videoOnly', 'disableAudio'),
    cameraEnabled: !isOn('audioOnly', 'disableVideo'),
    resolution: resolutionOf(searchParams.get('resolution') ?? ''),
    sourceId: sourceId.length <= LONGEST_SOURCE_ID ? sourceId : '',
    codec: codecOf(searchParams.get('codec')) ?? 'auto',
    simulcast: (searchParams.get('simulcast') ?? 'auto') === 'auto' ? 'auto' : isOn('simulcast'),
    maxBitrate: kilobits > 0 ? kilobits * 1_000 : 0,
  };
}

const resolutionOf = (value: string): PictureHeight =>
  /^(?:[1-9]\d*p?|auto)$/i.test(value) ? toPictureHeight('stream-broadcaster', 'resolution', value.toLowerCase()) : 720;
