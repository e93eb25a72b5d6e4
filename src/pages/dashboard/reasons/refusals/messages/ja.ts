// Generated from ja.json by `npm run generate`. Do not edit.
import type { RefusalReasons } from './refusal-reasons.js';

export const ja: RefusalReasons = {
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
