// Generated from ja.json by `npm run generate`. Do not edit.
import type { RewindMessages } from '../../messages.js';

export const ja: RewindMessages = {
  timeline: 'タイムライン',
  behindLive: (_count, shownCount) => `ライブより${shownCount}遅れ`,
  speed: '再生速度',
  goToLive: 'ライブに戻る',
  fromBeginning: '最初から見る',
  noRewind: 'このブラウザーでは巻き戻せません',
  rewind_codec_unsupported: ['この配信は巻き戻せません', '映像の形式が対応していません。'],
  session_required: ['今は巻き戻せません', '配信に接続されるまでお待ちください。'],
};
