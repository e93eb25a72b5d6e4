// Generated from ar.json by `npm run generate`. Do not edit.
import type { QualityMessages } from './quality-messages.js';

export const ar: QualityMessages = {
  experience: 'ما شاهده المشاهدون',
  nothing: 'لم يُبلّغ أي مشاهد في هذه الفترة.',
  devices: {
    phone: 'هاتف',
    tablet: 'جهاز لوحي',
    tv: 'تلفاز',
    desktop: 'حاسوب',
    unknown: 'جهاز غير معروف',
  },
  freezes: (count, duration) => `مرات التجمّد: ${count} (${duration})`,
  pictureAfter: (duration) => `الصورة بعد ${duration}`,
  frozen: 'تجمّد الصورة',
  firstPicture: 'أول صورة',
  within: (median, p95) => `النصف خلال ${median}، و95 من 100 خلال ${p95}`,
  resolution: 'الدقة',
  roundTrip: 'زمن الذهاب والإياب',
  loss: 'الحزم المفقودة',
  worst: 'أسوأ خمس دقائق',
  worstAt: (time, frozen, all, shownAll) => ({ zero: `${time}: تجمّدت الصورة لدى ${frozen} من ${shownAll} مشاهد.`, one: `${time}: تجمّدت الصورة لدى ${frozen} من مشاهد واحد.`, two: `${time}: تجمّدت الصورة لدى ${frozen} من مشاهدَين.`, few: `${time}: تجمّدت الصورة لدى ${frozen} من ${shownAll} مشاهدين.`, many: `${time}: تجمّدت الصورة لدى ${frozen} من ${shownAll} مشاهدًا.`, other: `${time}: تجمّدت الصورة لدى ${frozen} من ${shownAll} مشاهد.` } as Record<string, string>)[new Intl.PluralRules('ar').select(all)]!,
  causes: {
    server_load: 'كان الخادم مثقلًا: أرسل إلى المشاهدين أقل أو متأخرًا. خفّف عمله أو زد أنويته.',
    broadcast: 'حدث ذلك لمعظم المشاهدين دون فقدان حزم. تحقّق من سرعة الرفع لدى المذيع.',
    server_network: 'فقد معظم المشاهدين حزمًا. تحقّق من شبكة الخادم.',
    viewer_network: 'فقد عدد قليل من المشاهدين حزمًا في طريقهم إلى الخادم.',
    viewer_device: 'حدث ذلك لعدد قليل دون فقدان حزم. ربما كانت أجهزتهم بطيئة جدًا.',
  },
};
