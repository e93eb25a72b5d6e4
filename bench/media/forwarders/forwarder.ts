import type { Handlers } from '../../support/bench-process.js';

<<<<<<< HEAD
/** Forwards one publisher's video to every viewer. Publisher and viewers send the offers, as browsers do. */
=======
/** What carries one publisher's video to every viewer. Both ends offer, as browsers do. */
>>>>>>> a130767 (Sort the parts of the benchmarks into folders, and name the calls between their processes)
export interface Forwarder extends Handlers {
  /** @returns the SDP answer */
  publish(offer: string): Promise<string> | string;
  /** @returns the SDP answer */
  view(offer: string): Promise<string> | string;
}
