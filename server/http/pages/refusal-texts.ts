/** What a person is told in a browser, by what they can do. */
export interface RefusalTexts {
  readonly dir: 'ltr' | 'rtl';
  /** There is nothing at the address, or no longer. */
  readonly missing: RefusalText;
  /** The address is known, and may not be opened. */
  readonly refused: RefusalText;
  /** The same address can work in a moment. */
  readonly busy: RefusalText;
  /** The server has a fault. */
  readonly failed: RefusalText;
  /** The link to the first page of the server. */
  readonly home: string;
  readonly code: string;
  readonly requestId: string;
}

type RefusalText = readonly [title: string, next: string];

/** By language, as the hosted pages have them. */
export const refusalTexts = {
  en: {
    dir: 'ltr',
    missing: ['There is nothing here', 'Check the address, or ask for the link again.'],
    refused: ['This cannot be opened', 'Ask for a link, or log in.'],
    busy: ['The server cannot answer now', 'Reload this page in a moment.'],
    failed: ['Something went wrong', 'Reload this page. If it happens again, give the operator this request id.'],
    home: 'Go to the start page',
    code: 'Code',
    requestId: 'Request id',
  },
  de: {
    dir: 'ltr',
    missing: ['Hier ist nichts', 'Prüfen Sie die Adresse oder bitten Sie noch einmal um den Link.'],
    refused: ['Das lässt sich nicht öffnen', 'Bitten Sie um einen Link oder melden Sie sich an.'],
    busy: ['Der Server kann gerade nicht antworten', 'Laden Sie diese Seite gleich noch einmal.'],
    failed: [
      'Etwas ist schiefgegangen',
      'Laden Sie diese Seite neu. Wenn es wieder geschieht, nennen Sie dem Betreiber diese Anfrage-ID.',
    ],
    home: 'Zur Startseite',
    code: 'Code',
    requestId: 'Anfrage-ID',
  },
  fr: {
    dir: 'ltr',
    missing: ['Il n’y a rien ici', 'Vérifiez l’adresse ou redemandez le lien.'],
    refused: ['Impossible d’ouvrir cette page', 'Demandez un lien ou connectez-vous.'],
    busy: ['Le serveur ne peut pas répondre pour l’instant', 'Rechargez cette page dans un instant.'],
    failed: [
      'Une erreur s’est produite',
      'Rechargez cette page. Si l’erreur se répète, donnez à l’exploitant cet identifiant de requête.',
    ],
    home: 'Aller à la page d’accueil',
    code: 'Code',
    requestId: 'Identifiant de requête',
  },
  es: {
    dir: 'ltr',
    missing: ['Aquí no hay nada', 'Comprueba la dirección o vuelve a pedir el enlace.'],
    refused: ['No se puede abrir', 'Pide un enlace o inicia sesión.'],
    busy: ['El servidor no puede responder ahora', 'Vuelve a cargar esta página dentro de un momento.'],
    failed: [
      'Algo ha salido mal',
      'Vuelve a cargar esta página. Si se repite, da al operador este identificador de solicitud.',
    ],
    home: 'Ir a la página de inicio',
    code: 'Código',
    requestId: 'Identificador de solicitud',
  },
  ja: {
    dir: 'ltr',
    missing: ['ここには何もありません', 'アドレスを確認するか、リンクをもう一度依頼してください。'],
    refused: ['開くことができません', 'リンクを依頼するか、ログインしてください。'],
    busy: ['サーバーは現在応答できません', '少し待ってから、このページを再読み込みしてください。'],
    failed: [
      '問題が発生しました',
      'このページを再読み込みしてください。繰り返す場合は、このリクエスト ID を運営者に伝えてください。',
    ],
    home: 'トップページへ',
    code: 'コード',
    requestId: 'リクエスト ID',
  },
  zh: {
    dir: 'ltr',
    missing: ['这里没有内容', '请检查地址，或重新索取链接。'],
    refused: ['无法打开', '请索取链接，或登录。'],
    busy: ['服务器暂时无法响应', '请稍后重新加载此页面。'],
    failed: ['出了点问题', '请重新加载此页面。如果再次发生，请将此请求 ID 告诉运营者。'],
    home: '前往首页',
    code: '代码',
    requestId: '请求 ID',
  },
  ar: {
    dir: 'rtl',
    missing: ['لا يوجد شيء هنا', 'تحقق من العنوان، أو اطلب الرابط من جديد.'],
    refused: ['لا يمكن فتح هذا', 'اطلب رابطًا، أو سجّل الدخول.'],
    busy: ['لا يستطيع الخادم الرد الآن', 'أعد تحميل هذه الصفحة بعد لحظات.'],
    failed: ['حدث خطأ ما', 'أعد تحميل هذه الصفحة. إذا تكرر ذلك فأعطِ المشغّل معرّف الطلب هذا.'],
    home: 'إلى الصفحة الرئيسية',
    code: 'الرمز',
    requestId: 'معرّف الطلب',
  },
} as const satisfies Record<string, RefusalTexts>;
