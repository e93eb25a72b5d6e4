import { apiKeyEndpoints, apiSecretEndpoints, loginEndpoints, memberEndpoints } from './account-endpoints.js';
import { dashboardEndpoints } from './dashboard-endpoints.js';
import { directorEndpoints } from './director-endpoints.js';
import type { Endpoint } from './endpoint.js';
import { healthEndpoints } from './health-endpoint.js';
import { metricsEndpoints } from './metrics-endpoint.js';
import { passwordEndpoints } from './password-endpoints.js';
import { passkeyEndpoints } from './passkey-endpoints.js';
import { oembedEndpoints } from './oembed-endpoint.js';
import { liveEndpoints } from './live-endpoints.js';
import { ingestEndpoints } from './ingest-endpoints.js';
import { auditEndpoints, explainEndpoints, refusalEndpoints, streamEndpoints } from './management-endpoints.js';
import { limitEndpoints } from './limit-endpoints.js';
import { themeEndpoints } from './theme-endpoints.js';
import { announcementEndpoints, scheduleEndpoints } from './schedule-endpoints.js';
import { relayEndpoints } from './relay-endpoint.js';
import { rewindEndpoints, segmentEndpoints } from './rewind-endpoints.js';
import { liveRecordingEndpoints, recordingEndpoints, recordingMediaEndpoints } from './recording-endpoints.js';
import { sessionEndpoints, sessionStopEndpoints } from './session-endpoints.js';
import { upstreamEndpoints } from './upstream-endpoints.js';
import { webhookEndpoints } from './webhook-endpoints.js';
import { stillEndpoints } from './still-endpoints.js';
import { statisticsEndpoints } from './statistics-endpoints.js';
import {
  activeTokenEndpoints,
  disableTokensEndpoints,
  openSessionsEndpoints,
  publishTokenEndpoints,
  subscribeTokenEndpoints,
} from './token-endpoints.js';

/** Every endpoint of the HTTP API, in the order of the OpenAPI document. */
export const endpoints: readonly Endpoint[] = [
  publishTokenEndpoints,
  activeTokenEndpoints,
  disableTokensEndpoints,
  subscribeTokenEndpoints,
  openSessionsEndpoints,
  streamEndpoints,
  liveEndpoints,
  scheduleEndpoints,
  announcementEndpoints,
  recordingEndpoints,
  liveRecordingEndpoints,
  recordingMediaEndpoints,
  upstreamEndpoints,
  webhookEndpoints,
  explainEndpoints,
  refusalEndpoints,
  auditEndpoints,
  apiSecretEndpoints,
  apiKeyEndpoints,
  loginEndpoints,
  memberEndpoints,
  passkeyEndpoints,
  passwordEndpoints,
  themeEndpoints,
  limitEndpoints,
  sessionEndpoints,
  sessionStopEndpoints,
  statisticsEndpoints,
  directorEndpoints,
  ingestEndpoints,
  rewindEndpoints,
  segmentEndpoints,
  stillEndpoints,
  dashboardEndpoints,
  healthEndpoints,
  metricsEndpoints,
  relayEndpoints,
  oembedEndpoints,
].flatMap((group) => Object.values<Endpoint>(group));
