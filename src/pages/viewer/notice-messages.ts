/** The texts of the viewer page if its URL has no stream. */
export type NoticeMessages = readonly [title: string, missing: string, next: string];

/** The texts by language. They are in the bundle of the page, because the page has no other texts. */
export const noticeMessages: Readonly<Record<string, NoticeMessages>> = {
  en: [
    'No stream selected',
    'The address of this page has no stream. It should have this form:',
    'Ask for the complete link.',
  ],
  de: [
    'Kein Stream ausgewählt',
    'Die Adresse dieser Seite enthält keinen Stream. Sie sollte diese Form haben:',
    'Bitten Sie um den vollständigen Link.',
  ],
  fr: [
    'Aucun direct sélectionné',
    'L’adresse de cette page ne contient aucun direct. Elle devrait avoir cette forme :',
    'Demandez le lien complet.',
  ],
  es: [
    'No se ha elegido ninguna emisión',
    'La dirección de esta página no contiene ninguna emisión. Debería tener esta forma:',
    'Pide el enlace completo.',
  ],
  ja: [
    '配信が選択されていません',
    'このページのアドレスに配信が含まれていません。正しい形式は次のとおりです：',
    '完全なリンクを依頼してください。',
  ],
  zh: ['未选择直播', '此网页的地址不包含直播。地址的格式应为：', '请索取完整链接。'],
  ar: ['لم يتم اختيار بث', 'لا يتضمن عنوان هذه الصفحة أي بث. ينبغي أن يكون بهذا الشكل:', 'اطلب الرابط الكامل.'],
};
