import type { TokensMessages } from './tokens-messages.js';

export const fr: TokensMessages = {
  tokens: 'Jetons',
  purpose: 'Un jeton dit qui peut diffuser ou regarder, quels streams, d’où et jusqu’à quand.',
  kind: 'Type de jeton',
  kinds: { publish: 'Pour diffuser', subscribe: 'Pour regarder' },
  search: 'Libellé ou nom du stream',
  searchHint: 'Trouve les jetons qui ont exactement ce libellé ou ce nom de stream.',
  sort: 'Ordre',
  sorts: {
    newest: 'Les plus récents d’abord',
    oldest: 'Les plus anciens d’abord',
    label: 'Par libellé, à partir de A',
    labelDescending: 'Par libellé, à partir de Z',
  },
  find: 'Chercher',
  none: { publish: 'Il n’y a pas de jetons pour diffuser.', subscribe: 'Il n’y a pas de jetons pour regarder.' },
  noneFound: 'Aucun jeton n’a ce libellé ou ce nom de stream.',
  previous: 'Page précédente',
  next: 'Page suivante',
  details: 'Détails',
  detailsOf: (title) => `Détails de ${title}`,
  use: 'Liens et codes',
  useOf: (title) => `Liens et codes de ${title}`,
  enable: 'Activer',
  enableThis: (title) => `Activer ${title}`,
  enabled: (title) => `${title} fonctionne de nouveau.`,
  disable: 'Désactiver',
  disableThis: (title) => `Désactiver ${title}`,
  disableQuestion: (title) => `Désactiver ${title} ?`,
  disableEffect: {
    publish:
      'Une diffusion avec ce jeton se termine aussitôt. Personne ne peut diffuser avec ce jeton avant que vous le réactiviez.',
    subscribe:
      'Toutes les personnes qui regardent avec ce jeton sont déconnectées. Il n’admet personne avant que vous le réactiviez.',
  },
  disabled: (title) => `${title} est désactivé.`,
  refresh: 'Nouvelle valeur',
  refreshThis: (title) => `Nouvelle valeur pour ${title}`,
  refreshQuestion: (title) => `Donner une nouvelle valeur à ${title} ?`,
  refreshEffect: {
    publish:
      'La valeur actuelle cesse aussitôt de fonctionner : une diffusion avec elle se termine, et les encodeurs et les liens ont besoin de la nouvelle. Les règles restent.',
    subscribe:
      'La valeur actuelle cesse aussitôt de fonctionner : ceux qui regardent avec elle sont déconnectés, et les liens et les sites ont besoin de la nouvelle. Les règles restent.',
  },
  deleteEffect: {
    publish:
      'Une diffusion avec ce jeton se termine aussitôt, et les liens avec ce jeton cessent de fonctionner. C’est irréversible.',
    subscribe:
      'Toutes les personnes qui regardent avec ce jeton sont déconnectées, et les liens avec ce jeton cessent de fonctionner. C’est irréversible.',
  },
  deleted: (title) => `${title} est supprimé.`,
  liveNow: (streams) => `En direct avec ce jeton maintenant : ${streams}`,
  number: 'Numéro',
  streams: 'Noms des streams',
  websites: 'Sites web',
  addresses: 'Adresses IP',
  boundAddresses: 'Adresses liées',
  allowedCountries: 'Pays',
  deniedCountries: 'Pays refusés',
  atOnce: 'En même temps',
  viewers: 'Spectateurs',
  createdOn: 'Créé le',
  expiresOn: 'Expire le',
  everyWebsite: 'Tous les sites',
  everyAddress: 'Toutes les adresses',
  everyCountry: 'Tous les pays',
  noCountry: 'Aucun pays',
  firstAddresses: (count) => `Les premières adresses qui l’utilisent, jusqu’à ${count}`,
  noneBound: 'Aucune pour l’instant',
  anyNumber: 'Un nombre quelconque de spectateurs',
  upToRefuse: (count) => `Jusqu’à ${count} spectateurs. Un de plus est refusé.`,
  upToDisplace: (count) =>
    `Jusqu’à ${count} spectateurs. Un de plus prend la place de celui qui est arrivé le premier.`,
  everybodyWatches: 'Tout le monde peut regarder, sans jeton',
  value: 'Valeur du jeton',
  valueEffect: {
    publish: 'Toute personne qui a cette valeur peut diffuser avec elle.',
    subscribe: 'Toute personne qui a cette valeur peut regarder avec elle.',
  },
  streamToUse: 'Nom du stream pour les liens',
  streamToUseHint: 'Le jeton permet plusieurs noms. Saisissez celui auquel les liens sont destinés.',
  broadcasterLink: 'Lien de diffusion',
  broadcasterLinkEffect:
    'Ouvre la page de diffusion dans un navigateur ou sur un téléphone. Le lien contient le jeton.',
  whip: 'Adresse WHIP',
  whipEffect:
    'Dans OBS, choisissez le service WHIP. Le serveur est cette adresse, et le jeton d’authentification est la valeur du jeton.',
  whep: 'Adresse WHEP',
  qrCode: { publish: 'Code QR du lien de diffusion', subscribe: 'Code QR du lien pour regarder' },
  embedWithToken:
    'Ce code contient le jeton. Tous les visiteurs du site peuvent le lire ; n’autorisez donc le jeton que pour ce site.',
};
