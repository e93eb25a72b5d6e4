import type { Logger } from 'pino';
import type { Admission } from '../admission/admission.js';
import type { IceServers } from '../admission/ice-servers.js';
import type { ClientAddress } from '../http/request/client-address.js';
import type { IngestSessions } from './ingest-sessions.js';

/** What the routes of WHIP and WHEP work with. */
export interface IngestDependencies {
  readonly admission: Admission;
  readonly sessions: IngestSessions;
  readonly iceServers: IceServers;
  readonly clientAddress: ClientAddress;
  /** The origin that clients reach us at; undefined: the one that they asked at. */
  readonly publicUrl: string | undefined;
  readonly now: () => number;
  readonly log: Logger;
}
