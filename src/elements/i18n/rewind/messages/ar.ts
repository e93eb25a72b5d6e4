// Generated from ar.json by `npm run generate`. Do not edit.
import type { RewindMessages } from '../../messages.js';

export const ar: RewindMessages = {
  timeline: 'شريط الوقت',
  behindLive: (_count, shownCount) => `متأخر عن البث المباشر بمقدار ${shownCount}`,
  speed: 'السرعة',
  goToLive: 'العودة إلى البث المباشر',
  fromBeginning: 'المشاهدة من البداية',
  noRewind: 'لا يتيح هذا المتصفح الرجوع في البث',
  rewind_codec_unsupported: ['لا يمكن الرجوع في هذا البث', 'صيغة الفيديو لا تسمح بذلك.'],
  session_required: ['لا يمكن الرجوع الآن', 'انتظر حتى يتصل البث.'],
};
