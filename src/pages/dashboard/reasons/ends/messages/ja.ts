// Generated from ja.json by `npm run generate`. Do not edit.
import { ja as included } from '../../refusals/messages/ja.js';
import type { EndReasons } from './end-reasons.js';

export const ja: EndReasons = {
  ...included,
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
  bitrate_too_high: 'エンコーダーが運営者の許可する上限を大きく超えて送信しました。エンコーダーのビットレートを下げてください。',
  displaced: 'トークンで許可された枠を別の視聴者が使いました。',
  removed_by_owner: 'ダッシュボードまたは API から切断されました。',
};
