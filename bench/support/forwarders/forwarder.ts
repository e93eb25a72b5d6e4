import type { Acts } from '../asked-process.js';

/** What carries one publisher's video to every viewer. Both ends offer, as browsers do. */
export interface Forwarder extends Acts {
  /** @returns the SDP answer */
  publish(offer: string): Promise<string> | string;
  /** @returns the SDP answer */
  view(offer: string): Promise<string> | string;
}
