// Generated from fr.json by `npm run generate`. Do not edit.
import type { AppearanceMessages } from './appearance-messages.js';

export const fr: AppearanceMessages = {
  appearance: 'Apparence',
  purpose: 'L’aspect des pages pour les spectateurs et les diffuseurs. Les liens partagés montrent le nom et le logo.',
  name: 'Nom',
  nameHint: 'Le titre des pages, par exemple le nom de votre entreprise.',
  colors: { accent: 'Couleur d’accent', background: 'Couleur de fond' },
  colorHints: {
    accent: 'Du badge de direct et des boutons. Vide : celle du produit.',
    background: 'Des pages. Les textes y sont noirs ou blancs, selon la meilleure lisibilité. Vide : celle du produit.',
  },
  choose: (field) => `Choisir : ${field}`,
  notAColor: 'Saisissez une couleur comme #e5484d.',
  tooPale: (found, needed, nearest) => `Un texte blanc y est difficile à lire : contraste ${found}, il faut ${needed}. La couleur la plus proche qui convient est ${nearest}.`,
  save: 'Enregistrer',
  saved: 'Enregistré. Les pages changent en dix secondes.',
  reset: 'Réinitialiser',
  wasReset: 'Les pages ont de nouveau l’aspect du produit.',
  logo: 'Logo',
  logoHint: 'Une image PNG, JPEG ou WebP. Les grandes images sont réduites.',
  noLogo: 'Il n’y a pas de logo.',
  addLogo: 'Choisir une image',
  replaceLogo: 'Choisir une autre image',
  removeLogo: 'Retirer le logo',
  unreadableLogo: 'Ce fichier n’est pas une image utilisable. Choisissez un fichier PNG, JPEG ou WebP.',
  preview: 'Aperçu',
  sampleText: 'Le direct n’a pas encore commencé.',
  sampleBadge: 'En direct',
  sampleButton: 'Passer en direct',
};
