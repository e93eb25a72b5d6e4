import type { TokensMessages } from './tokens-messages.js';

export const fr: TokensMessages = {
  tokens: 'Jetons',
  purpose: 'Un jeton dit qui peut diffuser ou regarder, quels streams, d’où et jusqu’à quand.',
  kind: 'Type de jeton',
  kinds: { publish: 'Pour diffuser', subscribe: 'Pour regarder' },
  search: 'Libellé ou nom du stream',
  searchHint: 'Trouve ce texte dans les libellés et les noms de stream, ou les premiers chiffres du numéro d’un jeton.',
  state: 'État',
  anyState: 'Tous les états',
  sort: 'Ordre',
  sorts: {
    newest: 'Les plus récents d’abord',
    oldest: 'Les plus anciens d’abord',
    label: 'Par libellé, à partir de A',
    labelDescending: 'Par libellé, à partir de Z',
    expiresFirst: 'Les premiers à expirer d’abord',
    expiresLast: 'Les derniers à expirer d’abord',
  },
  none: { publish: 'Il n’y a pas de jetons pour diffuser.', subscribe: 'Il n’y a pas de jetons pour regarder.' },
  noneFound: 'Aucun jeton ne correspond.',
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
  selectThis: (title) => `Sélectionner ${title}`,
  selectPage: 'Sélectionner toute la page',
  selectMatching: (count) => `Sélectionner tous ceux qui correspondent (${count})`,
  selectFirst: (count) => `Sélectionner les ${count} premiers qui correspondent`,
  selectNone: 'Ne rien sélectionner',
  selected: (count) => `Sélectionnés : ${count}`,
  severalQuestion: {
    disable: (count) => `Désactiver les jetons sélectionnés (${count}) ?`,
    delete: (count) => `Supprimer les jetons sélectionnés (${count}) ?`,
  },
  severalEffect: {
    disable: {
      publish:
        'Les diffusions avec ces jetons s’arrêtent aussitôt. Personne ne peut diffuser avec eux tant que vous ne les réactivez pas.',
      subscribe:
        'Toutes les personnes qui regardent avec ces jetons sont déconnectées. Ils n’admettent personne tant que vous ne les réactivez pas.',
    },
    delete: {
      publish:
        'Les diffusions avec ces jetons s’arrêtent aussitôt, et les liens avec eux ne fonctionnent plus. C’est irréversible.',
      subscribe:
        'Toutes les personnes qui regardent avec ces jetons sont déconnectées, et les liens avec eux ne fonctionnent plus. C’est irréversible.',
    },
  },
  connectedNow: {
    publish: (count) => `Diffusions que cela arrête maintenant sur ce serveur : ${count}`,
    subscribe: (count) => `Spectateurs que cela déconnecte maintenant sur ce serveur : ${count}`,
  },
  severalDone: {
    enable: (count) => `Activés : ${count}.`,
    disable: (count) => `Désactivés : ${count}.`,
    delete: (count) => `Supprimés : ${count}.`,
  },
  severalFailed: (count) => `Inchangés, car ils n’existent plus : ${count}.`,
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
  newToken: { publish: 'Nouveau jeton pour diffuser', subscribe: 'Nouveau jeton pour regarder' },
  edit: 'Modifier',
  editThis: (title) => `Modifier ${title}`,
  create: 'Créer le jeton',
  save: 'Enregistrer',
  created: (title) => `${title} est créé.`,
  saved: (title) => `${title} est enregistré.`,
  label: 'Libellé',
  names: 'Noms de streams, un par ligne',
  patterns: 'Motifs, un par ligne',
  addressList: 'Adresses, une par ligne',
  addressRules: { list: 'Seulement depuis ces adresses', bind: 'Depuis les premières adresses qui l’utilisent' },
  bindCount: 'Combien d’adresses',
  expiryKept: (expiry) => `Comme avant : ${expiry}`,
  expiryChoices: { never: 'Jamais', date: 'À une date', duration: 'Après une durée' },
  expiryDate: 'Date et heure',
  duration: 'Durée à partir de maintenant',
  unit: 'Unité',
  units: { minutes: 'en minutes', hours: 'en heures', days: 'en jours' },
  maxSessions: 'Spectateurs en même temps',
  whenFull: 'Quand une personne de plus arrive',
  whenFullChoices: { refuse: 'La refuser', displace: 'Déconnecter la première arrivée' },
  hints: {
    label: 'Le libellé n’est que pour vous, afin de reconnaître le jeton.',
    streams:
      'Le jeton vaut pour ces noms et pour tout nom qui correspond à un motif du premier au dernier caractère, comme room-.*. Sans nom ni motif, il ne permet aucun stream.',
    origins:
      'Les navigateurs ne peuvent utiliser le jeton que sur ces sites, comme example.com ou *.example.com. Vide : sur tous les sites.',
    addresses:
      'Le jeton ne vaut que depuis ces adresses ou plages, comme 203.0.113.0/24, ou il retient les premières qui l’utilisent et ne vaut ensuite depuis aucune autre. Vide : depuis toutes les adresses.',
    allowedCountries:
      'Le jeton ne vaut que dans ces pays, écrits en deux lettres et séparés par des virgules : CH, AT. Vide : partout.',
    deniedCountries: 'Le jeton ne vaut pas dans ces pays, écrits en deux lettres et séparés par des virgules.',
    expiry: 'À partir de là, le jeton n’admet personne, et ceux qui sont connectés avec lui sont déconnectés.',
    viewers: 'Sans cela, tout le monde peut regarder ce qui est diffusé avec le jeton.',
    places:
      'C’est le nombre de personnes qui peuvent regarder avec le jeton en même temps, sur tous les serveurs réunis. Vide : un nombre quelconque.',
  },
  faults: {
    label: 'Un libellé a au plus 128 caractères et aucun saut de ligne.',
    streams: 'Un nom ou motif a de 1 à 128 caractères, et il y en a au plus 1 000.',
    origins: 'Un site a au plus 300 caractères, et il y en a au plus 1 000.',
    addresses: 'Il y a au plus 1 000 adresses, et au moins une à retenir.',
    allowedCountries: 'Écrivez chaque pays par son code de deux lettres, comme CH.',
    deniedCountries: 'Écrivez chaque pays par son code de deux lettres, comme AT.',
    expiry: 'Saisissez un moment à venir, d’ici 68 ans.',
    viewers: 'Choisissez si un jeton est nécessaire pour regarder.',
    places: 'Saisissez un nombre entier jusqu’à 1 000 000.',
  },
  conflict:
    'Quelqu’un d’autre a modifié ce jeton depuis que vous l’avez ouvert. Votre texte est conservé. Comparez les champs que vous avez tous deux modifiés, puis enregistrez de nouveau.',
  merged:
    'Quelqu’un d’autre a modifié ce jeton depuis que vous l’avez ouvert. Votre texte est conservé, et les autres champs ont leurs nouvelles valeurs. Regardez-les, puis enregistrez de nouveau.',
  theirs: 'Enregistré par quelqu’un d’autre :',
  useTheirs: 'Utiliser plutôt ceci',
  trial: 'Tester les règles',
  trialThis: (title) => `Tester les règles de ${title}`,
  trialOf: (title) => `Serait-on admis avec ${title} ?`,
  trialWebsite: 'Site ouvert dans le navigateur',
  trialAddress: 'Adresse IP de la personne',
  trialHint:
    'Sans site : une application ou un encodeur. Sans adresse : elle n’est pas connue. Le test n’admet personne.',
  trialAsk: 'Demander',
  wouldAdmit: {
    publish: 'Oui. La personne pourrait diffuser maintenant.',
    subscribe: 'Oui. La personne pourrait regarder maintenant, ou attendre le début.',
  },
  wouldRefuse: 'Non. La personne serait refusée maintenant.',
  continued: 'Voici ce que vous aviez saisi. Ce n’est pas encore enregistré.',
};
