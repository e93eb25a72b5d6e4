// Generated from ar.json by `npm run generate`. Do not edit.
import type { RefusalReasons } from './refusal-reasons.js';

export const ar: RefusalReasons = {
  token_missing: 'لا يوجد رمز، والبث يتطلب رمزًا.',
  token_unknown: 'الرمز غير موجود.',
  token_wrong_kind: 'نوع الرمز خاطئ: للمشاهدة بدل البث، أو العكس.',
  token_disabled: 'الرمز معطّل.',
  token_expired: 'انتهت صلاحية الرمز.',
  stream_not_permitted: 'الرمز مخصص لبث آخر.',
  stream_not_live: 'لم يكن هناك بث مباشر بعد. من دون رمز تنتظر المشغّلات وتسأل مجددًا عند بدئه.',
  stream_in_use: 'كان شخص آخر يبث بهذا الاسم.',
  origin_not_allowed: 'الرمز مخصص لمواقع أخرى.',
  address_denied: 'الرمز يرفض هذا العنوان.',
  address_not_allowed: 'الرمز مخصص لعناوين أخرى.',
  country_not_allowed: 'الرمز مخصص لدول أخرى.',
  address_not_bound: 'الرمز مرتبط بعناوين أخرى بالفعل.',
  token_full: 'كان عدد المشاهدين بهذا الرمز قد بلغ الحد المسموح.',
  account_full: 'كان عدد جلسات الحساب قد بلغ الحد الذي يسمح به المشغّل.',
};
