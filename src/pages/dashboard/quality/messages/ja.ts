// Generated from ja.json by `npm run generate`. Do not edit.
import type { QualityMessages } from './quality-messages.js';

export const ja: QualityMessages = {
  experience: '視聴者が見た品質',
  nothing: 'この期間に報告した視聴者はいません。',
  devices: {
    phone: 'スマートフォン',
    tablet: 'タブレット',
    tv: 'テレビ',
    desktop: 'パソコン',
    unknown: '不明な端末',
  },
  freezes: (count, duration) => `停止: ${count} 回（${duration}）`,
  pictureAfter: (duration) => `映像まで ${duration}`,
  frozen: '映像の停止',
  firstPicture: '最初の映像',
  within: (median, p95) => `半数が ${median} 以内、100 件中 95 件が ${p95} 以内`,
  resolution: '解像度',
  roundTrip: '往復時間',
  loss: '失われたパケット',
  worst: '最も悪かった 5 分間',
  worstAt: (time, frozen, _all, shownAll) => `${time}: 視聴者 ${shownAll} 人のうち ${frozen} 人で映像が停止しました。`,
  causes: {
    server_load: 'サーバーの負荷が高すぎたため、視聴者への送信が減ったか遅れました。負荷を減らすか、コアを増やしてください。',
    broadcast: '多くの視聴者で、パケットの損失なしに起きました。配信者の上り回線を確認してください。',
    server_network: '多くの視聴者でパケットが失われました。サーバーのネットワークを確認してください。',
    viewer_network: '少数の視聴者で、サーバーまでの経路でパケットが失われました。',
    viewer_device: '少数の視聴者で、パケットの損失なしに起きました。端末の性能が足りなかった可能性があります。',
  },
};
