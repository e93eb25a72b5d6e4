import type { PublishingDeadline } from '../worker/publishing-deadline.js';
import type { RouterHandle } from '../stream/router-registry.js';

/** What a relay needs of its worker. */
export interface RelayHost {
  acquireRouter(stream: string): RouterHandle;
  /** See `Sfu.mustTake`. @throws {MediaError} */
  mustTake(stream: string): void;
  /** A packet of another process is handed over. @returns the time */
  onPacket(): number;
  /** When packets of added sources are dropped. */
  readonly publishingDeadline: PublishingDeadline;
}
