import { sharedStyles } from './shared-styles.js';

export const sharedCss = sharedStyles.cssText;
