import type { EndReasons, RefusalReasons } from './reason-messages.js';

export const refusalReasons: RefusalReasons = {
  token_missing: 'لا يوجد رمز، والبث يتطلب رمزًا.',
  token_unknown: 'الرمز غير موجود.',
  token_wrong_kind: 'نوع الرمز خاطئ: للمشاهدة بدل البث، أو العكس.',
  token_disabled: 'الرمز معطّل.',
  token_expired: 'انتهت صلاحية الرمز.',
  stream_not_permitted: 'الرمز مخصص لبث آخر.',
  stream_not_live: 'لم يكن هناك بث مباشر، ولا ينتظر إلا من لديه رمز.',
  stream_in_use: 'كان شخص آخر يبث بهذا الاسم.',
  origin_not_allowed: 'الرمز مخصص لمواقع أخرى.',
  address_denied: 'الرمز يرفض هذا العنوان.',
  address_not_allowed: 'الرمز مخصص لعناوين أخرى.',
  country_not_allowed: 'الرمز مخصص لدول أخرى.',
  address_not_bound: 'الرمز مرتبط بعناوين أخرى بالفعل.',
  token_full: 'كان عدد المشاهدين بهذا الرمز قد بلغ الحد المسموح.',
};

export const endReasons: EndReasons = {
  ...refusalReasons,
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
  stopped_by_owner: 'أوقف شخص ما البث من لوحة التحكم أو الواجهة البرمجية.',
  idle: 'اتصل الجهاز ولم يطلب شيئًا.',
  displaced: 'أخذ مشاهد آخر المكان الذي يسمح به الرمز.',
  removed_by_owner: 'قطع شخص ما الاتصال من لوحة التحكم أو الواجهة البرمجية.',
};
