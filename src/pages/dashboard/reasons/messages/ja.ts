import type { EndReasons, RefusalReasons } from './reason-messages.js';

export const refusalReasons: RefusalReasons = {
  token_missing: 'トークンがありませんでしたが、このストリームには必要です。',
  token_unknown: 'トークンが存在しません。',
  token_wrong_kind: 'トークンの種類が違います（視聴用と配信用が逆です）。',
  token_disabled: 'トークンは無効化されています。',
  token_expired: 'トークンの有効期限が切れています。',
  stream_not_permitted: 'トークンは別のストリーム用です。',
  stream_not_live: 'まだ配信されていませんでした。トークンのないプレーヤーは待機し、始まるともう一度問い合わせます。',
  stream_in_use: 'ほかの人がこのストリームを配信中でした。',
  origin_not_allowed: 'トークンは別のウェブサイト用です。',
  address_denied: 'トークンはこのアドレスを拒否しています。',
  address_not_allowed: 'トークンは別のアドレス用です。',
  country_not_allowed: 'トークンは別の国用です。',
  address_not_bound: 'トークンはすでに別のアドレスに結び付いています。',
  token_full: 'トークンで許可された人数がすでに視聴中でした。',
  account_full: 'アカウントのセッション数が、運営者の許可する上限に達していました。',
};

export const endReasons: EndReasons = {
  ...refusalReasons,
  left: '本人が退出しました。',
  lost: 'デバイスとの接続が切れました。',
  not_resumed: '接続が切れ、デバイスは時間内に戻りませんでした。',
  not_connected: 'メディアを接続できませんでした。',
  b_frames: 'エンコーダーが B フレームを送りました。エンコーダーで B フレームを 0 に設定してください。',
  codec_unsupported: 'エンコーダーの映像コーデックには対応していません。映像エンコーダーを H.264 に設定してください。',
  nothing_to_publish: 'エンコーダーから、配信できる映像も音声も届きませんでした。',
  server_lost: 'サーバーが予告なく停止しました。',
  replaced: '同じデバイスが接続し直しました。',
  transport_lost: 'メディアが届かなくなりました。',
  media_engine_restarted: 'メディアエンジンが再起動しました。',
  server_stopping: 'サーバーが停止しました。',
  database_unavailable: 'サーバーがデータベースに接続できなくなりました。',
  moved: 'ストリームは別のサーバーにありました。',
  stopped_by_owner: 'ダッシュボードまたは API から配信が停止されました。',
  idle: 'デバイスは接続しましたが、何も要求しませんでした。',
  bitrate_too_high:
    'エンコーダーが運営者の許可する上限を大きく超えて送信しました。エンコーダーのビットレートを下げてください。',
  displaced: 'トークンで許可された枠を別の視聴者が使いました。',
  removed_by_owner: 'ダッシュボードまたは API から切断されました。',
};
