import type { TrackKind } from '../media/media-engine.js';
import { FanOut } from './fan-out.js';
import type { Publisher, Viewer } from './member.js';
import { tracksOf, type StreamEvent } from './stream-event.js';
import { ViewerCount } from './viewer-count.js';

/** One name: who publishes under it, who watches or waits, and whether media flows. */
export class Stream {
  readonly id: string;
  readonly #viewers = new Set<Viewer>();
  readonly #fanOut = new FanOut();
  readonly #count = new ViewerCount((count) => this.#tellCount(count));
  #publisher: Publisher | undefined;
  #tracks: readonly TrackKind[] | undefined;

  constructor(id: string) {
    this.id = id;
  }

  get publisher(): Publisher | undefined {
    return this.#publisher;
  }

  get live(): boolean {
    return this.#tracks !== undefined;
  }

  get deserted(): boolean {
    return !this.#publisher && this.#viewers.size === 0;
  }

  /** Takes the name for `publisher`. False while it is another's, unless that is the session `resumes` names. */
  claim(publisher: Publisher, resumes: string | null): boolean {
    const present = this.#publisher;
    if (present && present.id !== resumes) return false;
    this.#publisher = publisher;
    present?.stop('replaced');
    return true;
  }

  release(publisher: Publisher): void {
    if (this.#publisher === publisher) this.#publisher = undefined;
  }

  join(viewer: Viewer): void {
    this.#viewers.add(viewer);
    if (this.#tracks) viewer.tell(this.#active(this.#tracks));
    viewer.tell(this.#countEvent(this.#viewers.size));
    // A publisher hears `active` when his first viewer comes and `inactive` when the last one leaves (wire-facts 3.3).
    if (this.#tracks && this.#viewers.size === 1) this.#publisher?.tell(this.#active(this.#tracks));
    this.#count.set(this.#viewers.size);
  }

  leave(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return;
    if (this.#viewers.size === 0) this.#publisher?.tell(this.#inactive());
    this.#count.set(this.#viewers.size);
  }

  begin(tracks: readonly TrackKind[]): void {
    this.#tracks = tracks;
    this.#fanOut.tell(this.#viewers, this.#active(tracks));
    if (this.#viewers.size > 0) this.#publisher?.tell(this.#active(tracks));
    this.#publisher?.tell(this.#countEvent(this.#viewers.size));
  }

  end(): void {
    if (!this.#tracks) return;
    this.#tracks = undefined;
    this.#fanOut.tell(this.#viewers, this.#inactive());
  }

  close(): void {
    this.#count.close();
  }

  #tellCount(count: number): void {
    const event = this.#countEvent(count);
    this.#publisher?.tell(event);
    this.#fanOut.tell(this.#viewers, event);
  }

  #countEvent(viewercount: number): StreamEvent {
    return { name: 'viewercount', data: { streamId: this.id, viewercount } };
  }

  #active(kinds: readonly TrackKind[]): StreamEvent {
    return { name: 'active', data: { streamId: this.id, sourceId: null, tracks: tracksOf(kinds) } };
  }

  #inactive(): StreamEvent {
    return { name: 'inactive', data: { streamId: this.id, sourceId: null } };
  }
}
