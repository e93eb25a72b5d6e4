import type { VideoLayer } from '../../../client/viewer/layers.js';
import type { PictureHeight } from '../../picture-height.js';

/** One quality of the video (media-tracks proposal). media-chrome copies its own properties. */
export interface VideoRendition {
  /** Such as `720p`. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** In bit/s, as last measured by the server. */
  readonly bitrate: number;
  /** Always undefined: the server does not report it. */
  readonly frameRate: number | undefined;
  selected: boolean;
}

/**
 * The qualities of the video, the largest first, in the shape of the media-tracks proposal. Dispatches `addrendition`
 * and `removerendition`, both with `rendition`, and `change` when `selectedIndex` has changed.
 */
export class VideoRenditionList extends EventTarget {
  readonly [index: number]: VideoRendition;
  readonly #player: { quality: PictureHeight };
  #list: readonly VideoRendition[] = [];
  /** The selection that was announced last. */
  #selected = -1;

  /** @param player whose `quality` is the selection */
  constructor(player: { quality: PictureHeight }) {
    super();
    this.#player = player;
  }

  get length(): number {
    return this.#list.length;
  }

  [Symbol.iterator](): Iterator<VideoRendition> {
    return this.#list.values();
  }

  getRenditionById(id: string): VideoRendition | null {
    return this.#list.find((rendition) => rendition.id === id) ?? null;
  }

  /** The largest rendition that `quality` permits, or else the smallest. -1: the server selects. */
  get selectedIndex(): number {
    const { quality } = this.#player;
    if (quality === 'auto') return -1;
    const index = this.#list.findIndex(({ height }) => height <= quality);
    return index < 0 ? this.length - 1 : index;
  }

  set selectedIndex(index: number) {
    this.#player.quality = this.#list[index]?.height ?? 'auto';
  }

  /** @param layers of the video, the largest first. Those with an unknown size are left out. */
  update(layers: readonly VideoLayer[]): void {
    const before = this.#list;
    const list: VideoRendition[] = [];
    for (const { width, height, bitrate } of layers) {
      if (!height || list.at(-1)?.height === height) continue;
      const rendition = this.getRenditionById(`${height}p`) ?? createRendition(this, width, height);
      list.push(Object.assign(rendition, { bitrate }));
    }
    this.#list = list;
    for (const index of before.keys()) Reflect.deleteProperty(this, index);
    Object.assign(this, list);
    const announce = (type: string, of: readonly VideoRendition[], others: readonly VideoRendition[]): void => {
      for (const rendition of of)
        if (!others.includes(rendition)) this.dispatchEvent(Object.assign(new Event(type), { rendition }));
    };
    announce('removerendition', before, list);
    announce('addrendition', list, before);
    if (this.#selected === this.selectedIndex) return;
    this.#selected = this.selectedIndex;
    this.dispatchEvent(new Event('change'));
  }
}

function createRendition(list: VideoRenditionList, width: number, height: number): VideoRendition {
  return {
    id: `${height}p`,
    width,
    height,
    bitrate: 0,
    frameRate: undefined,
    get selected() {
      return list[list.selectedIndex] === this;
    },
    set selected(isSelected) {
      list.selectedIndex = isSelected ? [...list].indexOf(this) : -1;
    },
  };
}
