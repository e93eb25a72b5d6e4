import type { Acts } from '../asked-process.js';

/** Forwards one publisher's video to every viewer. Publisher and viewers send the offers, as browsers do. */
export interface Forwarder extends Acts {
  /** @returns the SDP answer */
  publish(offer: string): Promise<string> | string;
  /** @returns the SDP answer */
  view(offer: string): Promise<string> | string;
}
