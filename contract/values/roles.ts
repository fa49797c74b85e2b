/** Role numbers as they travel on the wire (specification section 4). A higher number includes the lower ones. */
export const ROLE_USER = 1;
export const ROLE_ADMIN = 10;
export const ROLE_ROOT = 100;

export type Role = number;

export const isAdmin = (role: Role): boolean => role >= ROLE_ADMIN;
export const isRoot = (role: Role): boolean => role >= ROLE_ROOT;
