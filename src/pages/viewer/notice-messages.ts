/** What the page for viewers says where its address names no stream: what is missing, how it should look, what to do. */
export type NoticeMessages = readonly [title: string, missing: string, next: string];

/** By language. They are part of the page, as nothing else of it has words. */
export const noticeMessages: Readonly<Record<string, NoticeMessages>> = {
  en: [
    'Which stream?',
    'The address of this page names no stream. It should look like this:',
    'Ask whoever sent you here for the whole link.',
  ],
  de: [
    'Welcher Stream?',
    'Die Adresse dieser Seite nennt keinen Stream. Sie sollte so aussehen:',
    'Bitten Sie um den vollständigen Link.',
  ],
  fr: [
    'Quel direct ?',
    'L’adresse de cette page ne nomme aucun direct. Elle devrait ressembler à ceci :',
    'Demandez le lien complet à la personne qui vous l’a envoyé.',
  ],
  es: [
    '¿Qué emisión?',
    'La dirección de esta página no indica ninguna emisión. Debería tener este aspecto:',
    'Pide el enlace completo a quien te lo envió.',
  ],
  ja: [
    'どの配信ですか？',
    'このページのアドレスに配信の名前がありません。次の形になります：',
    'リンクの送り主に、完全なリンクを確認してください。',
  ],
  zh: ['哪个直播？', '此页面的地址没有指明直播。地址应为：', '请向发给您链接的人索取完整链接。'],
  ar: ['أي بث؟', 'لا يذكر عنوان هذه الصفحة أي بث. ينبغي أن يكون بهذا الشكل:', 'اطلب الرابط الكامل ممن أرسله إليك.'],
};
