/** True if both are one type: `any` is no other type than itself here. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const holds = <_Fact extends true>(): void => {};
