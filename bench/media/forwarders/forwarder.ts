import type { Handlers } from '../../support/bench-process.js';

/** Forwards one publisher's video to every viewer. Publisher and viewers send the offers, as browsers do. */
export interface Forwarder extends Handlers {
  /** @returns the SDP answer */
  publish(offer: string): Promise<string> | string;
  /** @returns the SDP answer */
  view(offer: string): Promise<string> | string;
}

/** The address of a forwarder and its publisher: the first argument of its process. */
export const serverAddress = process.argv[2]!;
