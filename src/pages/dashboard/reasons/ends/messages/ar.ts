// Generated from ar.json by `npm run generate`. Do not edit.
import { ar as included } from '../../refusals/messages/ar.js';
import type { EndReasons } from './end-reasons.js';

export const ar: EndReasons = {
  ...included,
  left: 'غادر من تلقاء نفسه.',
  lost: 'انقطع الاتصال بالجهاز.',
  not_resumed: 'انقطع الاتصال ولم يعد الجهاز في الوقت المناسب.',
  not_connected: 'تعذّر توصيل الصوت والصورة.',
  b_frames: 'أرسل المرمّز إطارات B. اضبط إطارات B على 0 في المرمّز.',
  codec_unsupported: 'ترميز الفيديو في المرمّز غير مدعوم. اضبط مرمّز الفيديو على H.264.',
  nothing_to_publish: 'لم يرسل المرمّز صورة ولا صوتًا يمكن نشرهما.',
  server_lost: 'توقف الخادم دون سابق إنذار.',
  replaced: 'اتصل الجهاز نفسه من جديد.',
  transport_lost: 'لم يعد الصوت والصورة يصلان.',
  media_engine_restarted: 'أُعيد تشغيل محرك الوسائط.',
  server_stopping: 'أُوقف الخادم.',
  database_unavailable: 'فقد الخادم الاتصال بقاعدة بياناته.',
  moved: 'كان البث على خادم آخر.',
  stopped_by_owner: 'أوقف شخص ما البث من لوحة التحكم أو الواجهة البرمجية.',
  idle: 'اتصل الجهاز ولم يطلب شيئًا.',
  bitrate_too_high: 'أرسل المرمّز أكثر بكثير مما يسمح به المشغّل. اخفض معدل البت في المرمّز.',
  displaced: 'أخذ مشاهد آخر المكان الذي يسمح به الرمز.',
  removed_by_owner: 'قطع شخص ما الاتصال من لوحة التحكم أو الواجهة البرمجية.',
};
