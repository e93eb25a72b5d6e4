export type { ApiKeyCalls, ApiKeyListOptions, ApiKeyListPage } from './management/api-key-calls.js';
export type { ApiSecretCalls } from './management/api-secret-calls.js';
export { ManagementClient } from './management/management-client.js';
export type { ManagementOptions } from './management/management-connection.js';
export type { ErrorCode } from './management/error-code.js';
export { ManagementError, type ManagementErrorOptions } from './management/management-error.js';
export {
  signSubscribeToken,
  type SignedTokenClaims,
  type SigningOptions,
  type SigningParent,
} from './management/sign-subscribe-token.js';
export type {
  AuditListOptions,
  AuditListPage,
  OversightCalls,
  RefusalListOptions,
  RefusalListPage,
} from './management/oversight-calls.js';
export type { PublishTokenCalls } from './management/publish-token-calls.js';
export type { RecordingCalls, RecordingListOptions, RecordingPage } from './management/recording-calls.js';
export type { SessionCalls, SessionListOptions, SessionListPage } from './management/session-calls.js';
export type { StreamCalls } from './management/stream-calls.js';
export type {
  TaggedToken,
  TokenCalls,
  TokenCreateOptions,
  TokenImportOptions,
  TokenListOptions,
  TokenListPage,
  TokenNameOptions,
  TokenUpdateOptions,
} from './management/token-calls.js';
export type {
  ApiKeyBody,
  ApiKeyScope,
  ApiKeyWithValue,
  CreateApiKey,
  RotateApiKeyInput,
  UpdateApiKey,
} from './wire/management/api-key.js';
export type { ApiSecretState, ApiSecretValue } from './wire/management/api-secret.js';
export type { AuditAction, AuditBody } from './wire/management/audit.js';
export type { DashboardSession } from './wire/management/dashboard-session.js';
export type { Explanation, ExplainRequest } from './wire/management/explain.js';
export type { ScheduleCalls, ScheduleListOptions, SchedulePage } from './management/schedule-calls.js';
export type {
  DeliveryListOptions,
  DeliveryListPage,
  WebhookCalls,
  WebhookListOptions,
} from './management/webhook-calls.js';
export type { UpstreamCalls } from './management/upstream-calls.js';
export type { SetUpstreamInput, UpstreamBody, UpstreamSoftware } from './wire/management/upstream.js';
export type {
  CallFault,
  CreateWebhook,
  DeliveryState,
  RotateWebhookKeyInput,
  UpdateWebhook,
  WebhookBody,
  WebhookDeliveryBody,
} from './wire/management/webhook.js';
export type { WebhookEvent, WebhookEventType } from './wire/webhook-event.js';
export type { StillOptions } from './management/stream-calls.js';
export type { LimitCalls } from './management/limit-calls.js';
export type { AccountLimitsBody, PublishBitrateControl } from './wire/management/account-limits.js';
export type { ThemeCalls } from './management/theme-calls.js';
export type { TokenImport } from './wire/management/token-import.js';
export type { ThemeBody, UpdateTheme } from './wire/management/theme.js';
export type { CreateScheduledStream, ScheduledStreamBody, UpdateScheduledStream } from './wire/management/schedule.js';
export type { LiveStreamBody } from './wire/management/live-stream.js';
export type {
  CreateClip,
  CreateRecordingLink,
  FinishRecording,
  RecordingBody,
  RecordingLinkBody,
  RecordingSettingsBody,
  RecordingState,
  UpdateRecording,
  UpdateRecordingSettings,
} from './wire/management/recording.js';
export type { RefusalBody } from './wire/management/refusal.js';
export type { SessionBody, SessionDelivery, SessionDetailBody, SessionQuality } from './wire/management/session.js';
export type { StoppingLevel } from './wire/management/stream-stop.js';
export type {
  CreatePublishTokenInput,
  CreateSubscribeTokenInput,
  StreamRule,
  TokenBody,
  UpdatePublishTokenInput,
  UpdateSubscribeTokenInput,
} from './wire/management/token.js';
export type { DisabledTokens } from './wire/management/token-disable.js';
