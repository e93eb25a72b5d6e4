/** Whether there is no space left, or the quota of the disk is used up. */
export const isDiskFull = (error: Error): boolean =>
  'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
